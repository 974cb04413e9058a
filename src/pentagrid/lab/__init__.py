"""How fair the games are, and what would make them fair: census, balance, puzzles, plots."""
