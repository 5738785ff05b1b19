"""How contacts bounce: recorded, measured and reported traces."""

TRACES_MS = {
    "a clean edge": [0.0],
    # Recorded with a logic pin and a pull-up: adamfk/bouncy-button-data#12 and #6.
    "a toggle's 21 edges in half a millisecond": [
        0.0, 0.0072, 0.233, 0.2393, 0.243, 0.2491, 0.3121, 0.3182, 0.3587, 0.3707, 0.4468, 0.4541,
        0.4566, 0.4615, 0.464, 0.4831, 0.4856, 0.5073, 0.5134, 0.5242, 0.5279,
    ],
    "a push button's short touch before it closes": [0.0, 0.0007, 0.0698],
    # As driven on a kernel's simulated chip, read by lgpio: every pulse is told.
    "five bounces of a millisecond": [float(at_ms) for at_ms in range(11)],
    # As reported of worn buttons: LuxuSam/PhysicalButton#97, gpiozero#378.
    "a burst of 20 ms": [
        0.0, 0.3, 1.1, 2.9, 3.6, 5.2, 5.9, 8.3, 9.0, 11.8, 12.1, 14.9, 15.2, 17.6, 18.4, 19.7, 20.0,
    ],
}  # fmt: skip
"""Edges of a contact in ms from the first one; it stays after the last one as after the first."""
