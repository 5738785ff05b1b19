"""What goes on the SD cards, and the broker's configuration made from it."""
