"""One action on all items that match a filter, with undo."""
