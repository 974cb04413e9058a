"""Games on a server of `pentagrid serve`, played from here: the client that line mode and the app share."""
