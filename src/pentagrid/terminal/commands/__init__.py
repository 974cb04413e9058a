"""The commands, one module each: its docstring is its help, `add` its options, `run` its work."""
