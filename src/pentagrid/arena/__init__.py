"""Tournaments, ratings and exact measures of play; data sets; tasks for language models."""
