"""Public pages beside the table's own."""
