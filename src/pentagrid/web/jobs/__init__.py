"""Work that takes long, done in processes of its own."""
