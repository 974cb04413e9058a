"""Agents that teach themselves a game, wholly on the accelerator, measured by exact values. Needs the extra `train`."""
