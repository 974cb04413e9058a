"""What a game is: positions, rules, notation, chance, words, and the list of games."""
