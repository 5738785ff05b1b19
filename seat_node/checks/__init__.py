"""What ``mafia-seat check`` looks at: a function for each part, given where to look."""
