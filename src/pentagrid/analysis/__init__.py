"""Exact values of any position: solve, search, explain, review, and the komi that makes a deal fair."""
