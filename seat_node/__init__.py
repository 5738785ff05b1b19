"""The seat node: buttons, lamp, hooded screen and camera of one seat."""
