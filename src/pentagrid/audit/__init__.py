"""Checks environments that other people wrote against the rules."""
