"""Ridge systems of many rows, seen through a few of them."""
