"""Work that takes time, in lanes: processes of their own for short work, for computers' moves and for long work."""
