"""What ``mafia-table doctor`` looks at: a function for each thing, given where to look."""
