"""The table controller: rules, clocks, lights, voice and scoreboard."""
