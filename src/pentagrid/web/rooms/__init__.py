"""The games that the server plays: one room each, and who is connected."""
