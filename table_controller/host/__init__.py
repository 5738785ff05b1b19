"""The host's side of the table: what it is told, what it can order, and how that is done."""
