"""How fair a game is: the census of its deals, and the comparison of its rule options."""
