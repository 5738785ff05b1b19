"""The record of games: the journal, its copies, and what is read from it."""
