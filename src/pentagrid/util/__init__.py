"""Files, locks and processes: what has nothing to do with games."""
