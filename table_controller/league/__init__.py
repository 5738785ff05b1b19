"""Players and finished games of the club."""
