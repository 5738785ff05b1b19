"""The boxes as their sizes have them: who reads a screen, what the camera sees, what fits."""

from math import cos, radians, sin, tan

import pytest

SCREENS = ["ssd1306", "sh1106"]


class Panel:
    """A console at its seat, in the frame of its screen: across, up the panel, out of it.

    The seat's player is at angle 0 of the round table; others are told by their angles.
    """

    def __init__(self, sizes, screen):
        self.sizes = sizes
        self.lit = getattr(sizes, screen)[:2]
        slope = radians(sizes.seat_slope)
        front = sizes.table_across / 2 - sizes.seat_from_edge
        up = sizes.seat_screen_up
        self.origin = (0, front - up * cos(slope), sizes.seat_front + up * sin(slope))
        self.axes = ((1, 0, 0), (0, -cos(slope), sin(slope)), (0, sin(slope), cos(slope)))

    def seen_from(self, point):
        rest = [p - o for p, o in zip(point, self.origin, strict=True)]
        return tuple(sum(a * r for a, r in zip(axis, rest, strict=True)) for axis in self.axes)

    def eyes(self, angle, *, leans=0.0, aside=0.0):
        """Both eyes of who sits at *angle*, *leans* towards the screen, *aside* of the seat."""
        sizes, at = self.sizes, radians(angle)
        radius = sizes.table_across / 2 + sizes.eyes_behind_edge
        x, y = radius * sin(at), radius * cos(at)
        away = ((x - self.origin[0]) ** 2 + (y - self.origin[1]) ** 2) ** 0.5
        x, y = x - leans * x / away, y - leans * (y - self.origin[1]) / away
        for side in (-1, 1):
            shift = aside + side * sizes.eyes_apart / 2
            yield self.seen_from((x + shift * cos(at), y - shift * sin(at), sizes.eyes_high))

    def pixels(self):
        wide, high = self.lit
        for across in range(-4, 5):
            for up in range(-2, 3):
                yield (across / 8 * wide, up / 4 * high, -self.sizes.wall)

    def hood_hides(self, eye, pixel):
        """Whether a wall of the hood, or the panel itself, is between them."""
        sizes = self.sizes
        if eye[2] <= 0:
            return True
        half = self.lit[0] / 2 + sizes.hood_side
        far = self.lit[1] / 2 + sizes.hood_far
        near = -self.lit[1] / 2 - sizes.hood_near
        tall, lip = sizes.hood_high, sizes.hood_lip
        walls = [(0, half, near, far, tall), (0, -half, near, far, tall),
                 (1, far, -half, half, tall), (1, near, -half, half, lip)]  # fmt: skip
        return any(self._crosses(eye, pixel, *wall) for wall in walls)

    @staticmethod
    def _crosses(eye, pixel, axis, at, least, most, high):
        way = eye[axis] - pixel[axis]
        share = (at - pixel[axis]) / way if way else -1
        if not 0 < share < 1:
            return False
        other, out = (p + share * (e - p) for p, e in ((pixel[1 - axis], eye[1 - axis]),
                                                       (pixel[2], eye[2])))  # fmt: skip
        # Below 0 is the panel itself, which ends at the window.
        return least <= other <= most and out <= high

    def window_hides(self, eye, pixel):
        share = -pixel[2] / (eye[2] - pixel[2])
        at = [p + share * (e - p) for p, e in zip(pixel[:2], eye[:2], strict=True)]
        return any(
            abs(a) > lit / 2 + self.sizes.screen_window for a, lit in zip(at, self.lit, strict=True)
        )


@pytest.fixture(params=SCREENS)
def panel(request, sizes):
    return Panel(sizes, request.param)


def test_its_player_reads_the_whole_screen(panel, sizes):
    for aside in (-sizes.head_play, 0, sizes.head_play):
        for eye in panel.eyes(0, aside=aside):
            for pixel in panel.pixels():
                assert not panel.hood_hides(eye, pixel), (eye, pixel)
                assert not panel.window_hides(eye, pixel), (eye, pixel)


@pytest.mark.parametrize("leans", ["upright", "leaning over"])
@pytest.mark.parametrize("angle", range(36, 360, 36))
def test_nobody_else_at_a_table_of_ten_sees_a_pixel(panel, sizes, angle, leans):
    for eye in panel.eyes(angle, leans=sizes.neighbour_leans if leans != "upright" else 0):
        seen = [pixel for pixel in panel.pixels() if not panel.hood_hides(eye, pixel)]
        assert seen == []


def test_the_hood_is_what_hides_it_and_not_the_panel(panel):
    neighbours = [eye for angle in (36, 324) for eye in panel.eyes(angle)]
    assert all(eye[2] > 100 for eye in neighbours)


def lens(sizes):
    """The middle of the lens in the console's frame: away from the player's edge, up."""
    turned = radians(90 - sizes.arm_tilt)
    up, out = sizes.head_hinge
    away = sizes.seat_size[1] + sizes.arm_thick / 2 + up * cos(turned) - out * sin(turned)
    hinge = sizes.arm_foot_above - sizes.arm_foot[1] / 2 + sizes.arm_high
    return away, hinge + up * sin(turned) + out * cos(turned)


def test_the_camera_looks_at_the_face_over_the_hood_and_is_sharp_there(sizes):
    away, high = lens(sizes)
    assert high >= 160, "as bom.csv says"
    to_face = away + sizes.seat_from_edge + sizes.eyes_behind_edge
    up = sizes.eyes_high - 40 - high
    assert 400 <= (to_face**2 + up**2) ** 0.5 <= 1500
    assert abs(up / to_face - tan(radians(sizes.arm_tilt))) < tan(radians(12))
    slope = radians(sizes.seat_slope)
    behind = sizes.seat_screen_up + sizes.sh1106[1] / 2 + sizes.hood_far
    hood_at = behind * cos(slope) - sizes.hood_high * sin(slope)
    hood_top = sizes.seat_front + behind * sin(slope) + sizes.hood_high * cos(slope)
    chin = high + (up - 120) * (away - hood_at) / to_face
    assert chin > hood_top + 10


def test_the_ribbon_passes_behind_the_hinge(sizes):
    board_behind_face = sizes.camera_housing_high + 1.4
    assert sizes.head_hinge[1] + sizes.hinge_round / 2 <= board_behind_face + 2
    assert sizes.camera_ribbon[0] < sizes.arm_wide - 4


def test_a_closed_cover_hides_the_opening_and_an_open_one_leaves_the_view(sizes):
    opening = sizes.head_opening / 2
    assert sizes.cover_wide / 2 - sizes.cover_grip - opening >= 1.5
    assert sizes.cover_high / 2 - opening >= 3
    edge = 2 * sizes.cover_click - sizes.cover_wide / 2
    ahead = 1 + sizes.cover_thick + sizes.fit + sizes.head_rail_thick
    assert edge >= opening
    assert opening >= ahead * tan(radians(sizes.camera_view / 2)) + 2
    rail = sizes.cover_high / 2 - sizes.head_rail
    assert rail >= ahead * tan(radians(sizes.camera_view / 2)) + 2
    assert 2 * sizes.cover_click + sizes.cover_wide / 2 <= sizes.head_right - 2.5
    assert sizes.camera_housing < sizes.head_opening


def test_the_pi_the_buttons_and_the_plugs_find_their_places(sizes):
    slope = radians(sizes.seat_slope)
    pi_front = sizes.seat_size[1] - sizes.seat_pi_rear - sizes.pi_board[1]
    button_rear = sizes.seat_buttons_at[1] * cos(slope) + sizes.seat_button_rim / 2
    assert button_rear + 5 <= pi_front
    top = sizes.seat_front + sizes.seat_buttons_at[1] * sin(slope)
    assert top - sizes.seat_button_deep * cos(slope) >= 5
    over_pi = sizes.seat_front + pi_front * tan(slope) - sizes.wall / cos(slope)
    used = sizes.seat_pi_above + sizes.pi_thick + max(sizes.pi_cooler_high, sizes.pi_sockets_high)
    assert used + 10 <= over_pi
    assert sizes.seat_pi_above - 3 >= sizes.pi_underside
    # The sockets pass the wall when the Pi is put in, and a plug still reaches them.
    assert 0.5 <= sizes.seat_pi_rear - sizes.wall - sizes.pi_usb_c_out <= 2
    between = 2 * sizes.seat_buttons_at[0] - sizes.seat_button_rim
    assert between >= 40, "a finger finds VOTE or SHOUT without looking"
    near = sizes.seat_screen_up - sizes.sh1106[1] / 2 - sizes.hood_near - sizes.hood_wall
    assert near >= sizes.seat_buttons_at[1] + sizes.seat_button_rim / 2 + 10


def test_the_controller_stands_inside_the_ring(sizes):
    half = (sizes.case_size[0] ** 2 + sizes.case_size[1] ** 2) ** 0.5 / 2
    assert half + 20 <= sizes.ring_outer - sizes.ring_wide


def test_the_seat_box_is_the_one_of_the_bom(sizes, table):
    [box] = [row for row in table("bom.csv") if row["part"] == "Seat box"]
    [case] = [row for row in table("bom.csv") if row["part"] == "Controller case"]
    rear = sizes.seat_front + sizes.seat_size[1] * tan(radians(sizes.seat_slope))
    assert f"{sizes.seat_size[0]} x {sizes.seat_size[1]} x {round(rear)} mm" in box["alternative"]
    assert " x ".join(map(str, sizes.case_size)) + " mm" in case["alternative"]
