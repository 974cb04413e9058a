"""What exact values are good for beside play: puzzles and studies of the games."""
