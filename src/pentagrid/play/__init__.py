"""One game in progress: players, seats, clock, record files, and programs that play."""
