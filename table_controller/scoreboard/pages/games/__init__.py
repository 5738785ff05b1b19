"""The pages of finished games: which there are, and the record of each."""
