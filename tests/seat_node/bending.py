"""Recorded hands, changed by calculation: fingers bent, the hand turned, mirrored, resized."""

import json
import math
from pathlib import Path

from seat_node.shape import FINGERS, Points, measure

RECORDED = json.loads(
    (Path(__file__).parents[1] / "golden" / "landmarks" / "hands.json").read_text("utf-8")
)
BY_FILE = {entry["file"]: entry for entry in RECORDED}

TIGHT, USUAL, LOOSE, LAZY = (90, 100, 55), (75, 95, 50), (60, 85, 45), (50, 80, 40)
"""Degrees at knuckle, middle and outer joint of a finger that lies in the palm, less and less."""


def points_of(entry):
    return [Points(hand["world"], hand["image"]) for hand in entry["hands"]]


def shapes_of(entry, change=lambda points: points):
    """Return the measures of the hands, each after *change*."""
    return [measure(change(hand), entry["width"], entry["height"]) for hand in points_of(entry)]


def bent(points, fingers, degrees):
    """Return the hand with *fingers* bent at their three joints, from a straight hand's line."""
    world = [list(point) for point in points.world]
    palm = _unit(_cross(_minus(world[5], world[0]), _minus(world[17], world[0])))
    # The thumb and what the fingers lean to tell the palm's side from the back's.
    inside = _dot(_minus(world[4], world[0]), palm) + sum(
        _dot(_minus(world[tip], world[knuckle]), palm) for knuckle, _, _, tip in FINGERS.values()
    )
    if inside < 0:
        palm = [-value for value in palm]
    for finger in fingers:
        joints = FINGERS[finger]
        along = _unit(_minus(world[joints[0]], world[0]))
        axis = _unit(_cross(along, palm))
        at, turned_by = world[joints[0]], 0.0
        for joint, beyond, angle in zip(joints, joints[1:], degrees, strict=False):
            turned_by += angle
            length = math.dist(points.world[joint], points.world[beyond])
            way = _turned(along, axis, turned_by)
            at = [a + length * w for a, w in zip(at, way, strict=True)]
            world[beyond] = at
    return Points(world, points.image)


def mirrored(points):
    """Return the other hand."""
    return Points(
        [(-x, y, z) for x, y, z in points.world], [(1 - x, y) for x, y, *_ in points.image]
    )


def resized(points, factor):
    """Return a hand as large as *factor* hands, in the world and in the picture."""
    (x0, y0), world = points.image[9][:2], [[v * factor for v in p] for p in points.world]
    image = [(x0 + (x - x0) * factor, y0 + (y - y0) * factor) for x, y, *_ in points.image]
    return Points(world, image)


def turned(points, entry, degrees):
    """Return the hand turned clockwise in the picture around its wrist."""
    angle = math.radians(degrees)
    width, height = entry["width"], entry["height"]
    x0, y0 = points.image[0][0] * width, points.image[0][1] * height
    image = []
    for x, y, *_ in points.image:
        dx, dy = x * width - x0, y * height - y0
        across = dx * math.cos(angle) - dy * math.sin(angle) + x0
        down = dx * math.sin(angle) + dy * math.cos(angle) + y0
        image.append((across / width, down / height))
    return Points(points.world, image)


def _minus(one, other):
    return [a - b for a, b in zip(one, other, strict=True)]


def _dot(one, other):
    return sum(a * b for a, b in zip(one, other, strict=True))


def _cross(one, other):
    (a, b, c), (d, e, f) = one, other
    return [b * f - c * e, c * d - a * f, a * e - b * d]


def _unit(arrow):
    return [value / math.hypot(*arrow) for value in arrow]


def _turned(arrow, axis, degrees):
    """Return *arrow* turned around the unit vector *axis*. Source: Rodrigues' formula."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    across, along = _cross(axis, arrow), _dot(axis, arrow) * (1 - cos)
    return [a * cos + b * sin + c * along for a, b, c in zip(arrow, across, axis, strict=True)]
