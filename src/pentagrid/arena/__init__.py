"""Tournaments between players of any kind: ratings and exact measures of how well they play."""
