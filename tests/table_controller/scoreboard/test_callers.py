import socket

import pytest

from table_controller.scoreboard import create_app
from table_controller.scoreboard.callers import BadCaller, Caller, caller_of, is_called, names_of

NAMES = names_of("192.168.4.1", ["Club.Example"])


@pytest.mark.parametrize(
    ("environ", "caller"),
    [
        ({"REMOTE_ADDR": "192.168.4.7"}, ("192.168.4.7", False, False)),
        ({"REMOTE_ADDR": "127.0.0.1"}, ("127.0.0.1", True, False)),
        ({"REMOTE_ADDR": "::1"}, ("::1", True, False)),
        ({"REMOTE_ADDR": "::ffff:127.0.0.1"}, ("127.0.0.1", True, False)),
        ({"REMOTE_ADDR": "::ffff:192.168.4.7"}, ("192.168.4.7", False, False)),
        # One device has many addresses of its network.
        ({"REMOTE_ADDR": "fd00:1:2:3::a"}, ("fd00:1:2:3::/64", False, False)),
        ({"REMOTE_ADDR": "fe80::1%wlan0"}, ("fe80::/64", False, False)),
        # 127.0.0.2 is this machine's too, but nobody's who may claim anything.
        ({"REMOTE_ADDR": "127.0.0.2"}, ("127.0.0.2", False, False)),
    ],
)
def test_who_asks_is_told_from_the_connection(environ, caller):
    assert caller_of(environ) == Caller(*caller)


@pytest.mark.parametrize("peer", ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
def test_the_proxy_on_this_machine_speaks_for_others(peer):
    told = {"REMOTE_ADDR": peer, "HTTP_X_FORWARDED_FOR": "192.168.4.7"}
    assert caller_of(told) == Caller("192.168.4.7", own=False, tls=False)
    assert caller_of(told | {"HTTP_X_FORWARDED_PROTO": "https"}).tls
    assert not caller_of(told | {"HTTP_X_FORWARDED_PROTO": "http"}).tls
    # Of several the last was written by our proxy, the others by anybody.
    told["HTTP_X_FORWARDED_FOR"] = "127.0.0.1, 10.0.0.1, 192.168.4.8"
    assert caller_of(told).address == "192.168.4.8"


@pytest.mark.parametrize("peer", ["192.168.4.66", "127.0.0.2", "fd00::66"])
def test_nobody_else_speaks_for_others(peer):
    told = {
        "REMOTE_ADDR": peer,
        "HTTP_X_FORWARDED_FOR": "127.0.0.1",
        "HTTP_X_FORWARDED_PROTO": "https",
        "HTTP_FORWARDED": "for=127.0.0.1;proto=https",
    }
    caller = caller_of(told)
    assert (caller.own, caller.tls) == (False, False)


@pytest.mark.parametrize("told", ["", "unknown", "mafia.local", "1.2.3", "127.0.0.1:80", "\xff"])
def test_a_proxy_that_names_no_address_is_not_believed(told):
    with pytest.raises(BadCaller):
        caller_of({"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": told})


@pytest.mark.parametrize(
    "host",
    ["mafia.local", "MAFIA.local:8080", "mafia.local.", "localhost:1", "127.0.0.1", "[::1]:8080",
     "192.168.4.1:8080", "10.42.0.1", "[fe80::1]", "club.example", socket.gethostname()],
)  # fmt: skip
def test_the_kits_own_names_and_every_address_are_answered(host):
    assert is_called(host, NAMES)


@pytest.mark.parametrize(
    "host",
    ["evil.example", "mafia.local.evil.example", "evil-mafia.local", "mafia.local:",
     "mafia.local@evil.example", "mafia.local/..", " mafia.local", "", ".", "[::1", "\xff", "a b",
     "mafia.local,evil.example", "127.0.0.1.evil.example", "0x7f.1", "club.example.com",
     "mafia.local:x"],
)  # fmt: skip
def test_a_name_that_is_not_the_kits_is_not_answered(host):
    assert not is_called(host, NAMES)


@pytest.mark.parametrize(
    "path", ["/", "/state", "/events", "/host/login", "/static/table.js", "/x"]
)
def test_a_strangers_name_for_this_machine_gets_nothing(hub, path):
    client = create_app(hub, "en").test_client()
    answer = client.get(path, headers={"Host": "evil.example"})
    assert (answer.status_code, answer.text) == (421, "421 Misdirected Request\n")
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert client.get(path, headers={"Host": ""}).status_code == 400
