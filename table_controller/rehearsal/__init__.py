"""Playing without hardware: the demo's processes and its bots."""
