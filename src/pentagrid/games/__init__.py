"""The games, one folder each, found by looking: adding a folder adds a game everywhere."""
