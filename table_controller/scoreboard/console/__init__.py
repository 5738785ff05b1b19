"""The host's pages, behind the door: the console, files, players, bars, appeals."""
