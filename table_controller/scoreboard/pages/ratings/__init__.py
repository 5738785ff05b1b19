"""The pages of ratings: a season's table, and what one player has played."""
