"""The scoreboard: what the room may see, on the club's LAN."""
