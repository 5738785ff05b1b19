"""Lets the real picamera2 run on libcamera's virtual pipeline: without a kernel's camera, without
its memory, without a display. To be imported before picamera2.

* pykms is not in Debian; picamera2 imports it for a preview that nobody asks for here.
* Frames lie in memfds, an NV12 frame in two planes, instead of in the kernel's DMA heap.
* The virtual pipeline refuses the raw role, so the modes are those of the video role.
* The pipeline of libcamera 0.4 knows no frame rate: without a pause it takes a whole core.
* libcamera 0.4 leaves a frame's status there as it was in memory, and picamera2 takes
  frames that succeeded only. Later ones set it.
"""

import mmap
import os
import sys
import threading
import types


class _AnyName(type):
    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return name


def _without_display():
    pykms = types.ModuleType("pykms")
    pykms.PixelFormat = _AnyName("PixelFormat", (), {})
    for name in ("Card", "ResourceManager", "DumbFramebuffer", "DmabufFramebuffer"):
        setattr(pykms, name, type(name, (), {}))
    sys.modules["pykms"] = pykms


_without_display()

import libcamera  # noqa: E402 - after its stub
import picamera2.picamera2 as module  # noqa: E402
from picamera2.allocators.allocator import Allocator, Sync  # noqa: E402

PAUSE_S = 1 / 15
"""Before the frames that are ready, a handful, are taken and asked for anew."""

_handle_request = module.CameraManager.handle_request


class MappedFrame(Sync):
    def __init__(self, allocator, frame, write):
        self._memory = allocator.mapped_buffers[frame]

    def __enter__(self):
        return self._memory

    def __exit__(self, *exc):
        pass


class MemoryAllocator(Allocator):
    def __init__(self):
        super().__init__()
        self.mapped_buffers = {}
        self.frame_buffers = {}
        self.sync = MappedFrame
        self._files = []

    def allocate(self, configuration, _use_case):
        self.close()
        for stream in configuration:
            frames = [self._frame(stream) for _ in range(stream.buffer_count)]
            self.frame_buffers[stream.stream] = frames

    def buffers(self, stream):
        return self.frame_buffers[stream]

    def close(self):
        self.mapped_buffers.clear()
        self.frame_buffers.clear()
        for file in self._files:
            os.close(file)
        self._files.clear()

    def _frame(self, stream):
        file = os.memfd_create("frame")
        os.ftruncate(file, stream.frame_size)
        self._files.append(file)
        luma = stream.stride * stream.size.height
        planes = []
        for offset, length in ((0, luma), (luma, stream.frame_size - luma)):
            plane = libcamera.FrameBuffer.Plane()
            plane.fd, plane.offset, plane.length = file, offset, length
            planes.append(plane)
        frame = libcamera.FrameBuffer(planes)
        self.mapped_buffers[frame] = mmap.mmap(file, stream.frame_size)
        return frame


def _video_modes(camera):
    video = camera.camera.generate_configuration([libcamera.StreamRole.VideoRecording])
    formats = video.at(0).formats
    return [
        {"format": str(pixels), "size": (size.width, size.height)}
        for pixels in formats.pixel_formats
        for size in formats.sizes(pixels)
    ]


def _paced(self, flushid=None):
    threading.Event().wait(PAUSE_S)
    _handle_request(self, flushid)


class _AnyStatus(libcamera.FrameMetadata.Status):
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    __hash__ = None


module.CameraManager.handle_request = _paced
module.DmaAllocator = MemoryAllocator
module.Picamera2._get_raw_modes = _video_modes
libcamera.FrameMetadata.Status.Success = _AnyStatus(0)
