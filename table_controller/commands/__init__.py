"""The commands of ``mafia-table`` but for the program itself."""
