import pytest

from seat_node.light import FROZEN_S, Light

np = pytest.importorskip("numpy", reason="numpy is not installed: make vision")

RANDOM = np.random.default_rng(3)


def a_room(mean=110, spread=40):
    """Return a noisy picture, (240, 320, 3)."""
    noise = RANDOM.normal(mean, spread, (240, 320, 3))
    return np.clip(noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    ("picture", "word"),
    [
        (a_room(), "ok"),
        (a_room(mean=22, spread=8), "ok"),  # a fifth of a room's light
        (a_room(mean=5, spread=2), "dark"),
        (a_room(mean=110, spread=2), "covered"),
        (a_room(mean=250, spread=2), "covered"),
    ],
)
def test_a_picture_has_its_word(picture, word):
    assert Light(live=False).judge(picture, 0.0) == word


def test_a_camera_that_sends_the_same_picture_for_long_is_frozen():
    light, picture = Light(live=True), a_room()
    words = [light.judge(picture, at_s) for at_s in (0.0, 1.0, FROZEN_S, FROZEN_S + 1)]
    assert words == ["ok", "ok", "frozen", "frozen"]


def test_a_camera_that_moves_again_is_no_longer_frozen():
    light, picture = Light(live=True), a_room()
    assert [light.judge(picture, at_s) for at_s in (0.0, 3.0)] == ["ok", "frozen"]
    assert light.judge(a_room(), 4.0) == "ok"


def test_a_buffer_that_the_camera_fills_again_is_not_taken_for_frozen():
    light, picture = Light(live=True), a_room()
    for at_s in range(10):
        picture[:] = a_room()
        assert light.judge(picture, float(at_s)) == "ok"


def test_a_photograph_may_stand_still():
    light, picture = Light(live=False), a_room()
    assert [light.judge(picture, float(at_s)) for at_s in range(10)] == ["ok"] * 10
