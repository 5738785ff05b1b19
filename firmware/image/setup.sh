#!/usr/bin/env bash
# Make a source tree ready for a make target: Debian packages, .venv, the
# project and its extras under constraints-dev.txt. What is there already is
# left alone, so that a second start costs milliseconds.
#
#   firmware/image/setup.sh demo|vision|test|bench|hardware
#
# Exit 2: something is missing that the user has to bring; the last line says what to run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

VENV=.venv
CONSTRAINTS=firmware/image/constraints-dev.txt
STAMP=$VENV/kit.stamp
LOG=build/setup.log
# Stands before the paths of the system's own files; only tests set it.
SYSTEM=${KIT_SYSTEM_ROOT:-}

fail() {
    printf 'setup: %s\n' "$1" >&2
    exit 2
}

has_command() {
    # Debian keeps daemons where an ordinary user's PATH does not look.
    PATH=$PATH:$SYSTEM/usr/sbin:$SYSTEM/sbin command -v "$1" >/dev/null
}

has_library() {
    local folder
    for folder in /usr/lib /lib "/usr/lib/$(uname -m)-linux-gnu" "/lib/$(uname -m)-linux-gnu"; do
        if [ -e "$SYSTEM$folder/$1" ]; then return 0; fi
    done
    return 1
}

# Print the Debian packages that are missing for the target $1. Asked is for
# the thing itself, so that one that came another way is as good.
missing_packages() {
    [ -x $VENV/bin/python ] || "$PYTHON" -c 'import ensurepip' 2>/dev/null || echo python3-venv
    if [ "$1" = bench ]; then
        has_command aplay || echo alsa-utils
        return
    fi
    if [ "$1" = hardware ]; then
        has_command dot || echo graphviz
        has_command openscad || echo openscad
        has_command xvfb-run || echo xvfb
        has_command xauth || echo xauth
        [ -e "$SYSTEM/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf" ] || echo fonts-dejavu-core
        return
    fi
    has_command mosquitto || echo mosquitto
    has_command espeak-ng || echo espeak-ng
    [ -e "$SYSTEM/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf" ] || echo fonts-dejavu-core
    if [ "$1" = demo ]; then return; fi
    has_library libEGL.so.1 || echo libegl1
    has_library libGLESv2.so.2 || echo libgles2
    has_library libGL.so.1 || echo libgl1
    has_library libglib-2.0.so.0 || echo libglib2.0-0
    if [ "$1" = vision ]; then return; fi
    has_command chromium || echo chromium
    has_command aplay || echo alsa-utils
    has_command strace || echo strace
    has_command nginx || echo nginx
    has_command nft || echo nftables
    has_command mkfs.vfat || echo dosfstools
    has_command mcopy || echo mtools
    has_command faketime || echo faketime
    has_command ssh || echo openssh-client
    [ -e "$SYSTEM/usr/sbin/sshd" ] || echo openssh-server
    compgen -G "$SYSTEM/usr/lib/postgresql/*/bin/initdb" >/dev/null || echo postgresql
}

# Run $2... with its output in the log, and show only how many lines match $1.
# Fails as the command does, with the last words of the log.
quietly() {
    local pattern=$1 status=0
    shift
    mkdir -p "$(dirname "$LOG")"
    "$@" 2>&1 </dev/null | tee "$LOG" | awk -v pattern="$pattern" -v tty="$([ -t 1 ] && echo 1)" '
        $0 ~ pattern { n++; if (tty) { printf "\r  %d", n; fflush() } }
        END { printf "%s  %d done\n", tty ? "\r" : "", n }' || status=$?
    if [ "$status" -ne 0 ]; then tail -n 8 "$LOG" >&2; fi
    return "$status"
}

install_packages() {
    local as_root=()
    has_command apt-get || fail "missing: $*. Install them with this system's own packages and start again."
    if [ "$(id -u)" -ne 0 ]; then
        sudo -n true 2>/dev/null ||
            fail "missing Debian packages. Run this and start again: sudo apt-get install -y $*"
        as_root=(sudo -n)
    fi
    as_root+=(env DEBIAN_FRONTEND=noninteractive)
    echo "Installing Debian packages: $*"
    quietly '^Get:' "${as_root[@]}" apt-get update ||
        fail "the Debian package lists could not be read; is the network there?"
    quietly '^Setting up' "${as_root[@]}" apt-get install -y --no-install-recommends "$@" ||
        fail "apt-get could not install: $*"
    # The kit starts brokers and servers of its own; those that Debian starts are not wanted.
    local daemon
    for daemon in mosquitto nginx postgresql openssh-server; do
        case " $* " in *" $daemon "*)
            if [ -d "$SYSTEM/run/systemd/system" ]; then
                "${as_root[@]}" systemctl disable --quiet --now "${daemon/openssh-server/ssh}.service" || true
            fi ;;
        esac
    done
}

# Print the first interpreter that the project can run on.
find_python() {
    local name
    for name in python3 python3.13 python3.12 python3.11; do
        if "$name" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' 2>/dev/null; then
            command -v "$name"
            return
        fi
    done
    return 1
}

# MediaPipe names the OpenCV that has windows, and uses it to draw only. The one without
# takes 12 MB less in the eyes; both have the same files, so one has to go.
spare_windows() {
    local pip=("$VENV/bin/python" -m pip --disable-pip-version-check) gui
    gui=$(compgen -G "$VENV/lib/python3*/site-packages/opencv_contrib_python-*.dist-info") || return 0
    echo "OpenCV without windows in place of $(basename "$gui" .dist-info)"
    quietly '^Collecting' "${pip[@]}" download --no-deps --constraint $CONSTRAINTS \
        --dest build/opencv opencv-python-headless || return 1
    "${pip[@]}" uninstall --quiet --yes opencv-contrib-python
    "${pip[@]}" install --quiet --no-deps --force-reinstall build/opencv/*.whl
    rm -rf build/opencv
}

# Install the project with the extras "$@" unless the stamp says it is there.
install_project() {
    local sum known='' have='' wanted extra complete=1
    sum=$(cat pyproject.toml $CONSTRAINTS | sha256sum | cut -c1-64)
    if $VENV/bin/python -c '' 2>/dev/null && [ -e $STAMP ]; then
        read -r known have <$STAMP || true
    fi
    for extra in "$@"; do
        case ",$have," in *",$extra,"*) ;; *) complete=0 ;; esac
    done
    if [ "$known" = "$sum" ] && [ $complete = 1 ]; then return; fi

    $VENV/bin/python -m pip --version >/dev/null 2>&1 || "$PYTHON" -m venv --clear $VENV
    wanted=$(printf '%s\n' "${have//,/$'\n'}" "$@" | sed '/^$/d' | sort -u | paste -sd,)
    echo "Installing Python packages: mafia-table-kit[$wanted]"
    if ! quietly '^Collecting' $VENV/bin/python -m pip install --disable-pip-version-check \
        --constraint $CONSTRAINTS --editable ".[$wanted]"; then
        if grep -qE 'NewConnectionError|NameResolutionError|ConnectTimeout|Temporary failure' "$LOG"; then
            fail "the package index cannot be reached; the first start needs the internet once."
        fi
        fail "pip could not install the project; the whole story is in $LOG"
    fi
    spare_windows || fail "pip could not get OpenCV without windows; the whole story is in $LOG"
    printf '%s %s\n' "$sum" "$wanted" >$STAMP
}

case "${1:-}" in
    demo) extras=(table seat) ;;
    vision) extras=(table seat vision) ;;
    test) extras=(table seat vision dev) ;;
    bench) extras=(bench) ;;
    hardware) extras=(seat hardware) ;;
    *) fail "usage: $0 demo|vision|test|bench|hardware" ;;
esac
PYTHON=$(find_python) || fail "Python 3.11, 3.12 or 3.13 is needed, found: $(python3 --version 2>&1 || true)"
mapfile -t packages < <(missing_packages "$1")
if [ ${#packages[@]} -gt 0 ]; then install_packages "${packages[@]}"; fi
install_project "${extras[@]}"
