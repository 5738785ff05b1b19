"""The voice: what the room hears, from phrases to the loudspeaker."""
