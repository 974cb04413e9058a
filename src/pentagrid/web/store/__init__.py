"""Where the server keeps games: SQLite for one process, PostgreSQL for several."""
