"""Run a command with what a unit leaves it of the kernel: ``cage.py UNIT COMMAND...``.

Of the unit's lines those are kept that a process can put on itself without
systemd: SystemCallFilter, SystemCallErrorNumber=EPERM, MemoryDenyWriteExecute,
RestrictAddressFamilies, NoNewPrivileges, LimitCORE.
"""

import configparser
import ctypes
import os
import resource
import socket
import subprocess
import sys
from pathlib import Path

PR_SET_NO_NEW_PRIVS = 38
PR_SET_MDWE = 65
"""Linux 6.3 and later; an older one refuses."""
ALLOW = 0x7FFF0000
EPERM_ = 0x00050001
EQUAL = 4
"""Source: seccomp.h of libseccomp 2.5: SCMP_ACT_ALLOW, SCMP_ACT_ERRNO(EPERM), SCMP_CMP_EQ."""


class Compare(ctypes.Structure):
    """``struct scmp_arg_cmp``."""

    _fields_ = (
        ("arg", ctypes.c_uint),
        ("op", ctypes.c_int),
        ("a", ctypes.c_uint64),
        ("b", ctypes.c_uint64),
    )


class Lines(dict):
    """The lines of a section, those of a key that stands twice joined."""

    def __setitem__(self, key, value):
        if isinstance(value, list) and key in self:
            self[key].extend(["", *value])
        else:
            super().__setitem__(key, value)


def service(unit):
    parser = configparser.ConfigParser(
        dict_type=Lines, strict=False, interpolation=None, comment_prefixes=("#",)
    )
    parser.optionxform = str
    parser.read(unit)
    return parser["Service"]


def members(name):
    """Return the system calls of a set of systemd's."""
    # systemd's own commands of Debian 13 speak to that socket too, until nobody takes it any more.
    asked = subprocess.run(
        ["systemd-analyze", "syscall-filter", name],
        capture_output=True, text=True, check=True,
        env={key: value for key, value in os.environ.items() if key != "NOTIFY_SOCKET"},
    )  # fmt: skip
    found = set()
    for line in asked.stdout.splitlines():
        word = line.strip()
        if line.startswith(" ") and not word.startswith("#"):
            found |= members(word) if word.startswith("@") else {word}
    return found


def allowed(lines):
    """Return the calls that SystemCallFilter's *lines* leave."""
    left = set()
    for line in filter(None, lines.splitlines()):
        for word in line.removeprefix("~").split():
            calls = members(word) if word.startswith("@") else {word}
            left = left - calls if line.startswith("~") else left | calls
    return left


def give_up(what):
    """Say what the kernel lacks."""
    sys.stderr.write(what)
    sys.exit(77)


def close(unit):
    """Put the unit's limits on this process, for ever."""
    section = service(unit)
    calls = allowed(section["SystemCallFilter"])
    assert section["SystemCallErrorNumber"] == "EPERM"
    resource.setrlimit(resource.RLIMIT_CORE, (int(section["LimitCORE"]),) * 2)
    libc = ctypes.CDLL(None, use_errno=True)
    if section.get("MemoryDenyWriteExecute") == "yes" and libc.prctl(PR_SET_MDWE, 1, 0, 0, 0):
        give_up("PR_SET_MDWE")
    assert section["NoNewPrivileges"] == "yes"
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    lib = ctypes.CDLL("libseccomp.so.2")
    lib.seccomp_init.restype = ctypes.c_void_p
    lib.seccomp_init.argtypes = [ctypes.c_uint32]
    lib.seccomp_rule_add_array.argtypes = [
        ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int, ctypes.c_uint, ctypes.POINTER(Compare),
    ]  # fmt: skip
    lib.seccomp_load.argtypes = [ctypes.c_void_p]
    filter_ = lib.seccomp_init(EPERM_)
    for name in calls - {"socket"}:
        number = lib.seccomp_syscall_resolve_name(name.encode())
        if number >= 0:
            lib.seccomp_rule_add_array(filter_, ALLOW, number, 0, None)
    number = lib.seccomp_syscall_resolve_name(b"socket")
    for family in section["RestrictAddressFamilies"].split():
        equal = Compare(0, EQUAL, getattr(socket, family), 0)
        lib.seccomp_rule_add_array(filter_, ALLOW, number, 1, ctypes.byref(equal))
    if lib.seccomp_load(filter_):
        give_up("a filter of system calls")


if __name__ == "__main__":
    close(Path(sys.argv[1]))
    os.execvp(sys.argv[2], sys.argv[2:])
