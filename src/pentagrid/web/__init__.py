"""The five games in the browser: the server, its store, the page."""
