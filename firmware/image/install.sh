#!/usr/bin/env bash
# Install the kit on a Pi, or another version of it; as root. It lies in the kit's folder, beside
# wheels/ and SHA256SUMS. What is there already is left alone: a second run costs seconds.
#
#   install.sh [--card FOLDER]   install, and settle the card in FOLDER (else ../card, if it is there)
#   install.sh --check           say whether the kit is whole and fits this system; changes nothing
#   install.sh --back            go back to the release before; once more: forth again
#   install.sh --keep-debs DIR   fill DIR with Debian's packages for table and seats
#
# Without internet: on one Pi that has it, set up with this kit or about to be, run
# `install.sh --keep-debs DIR`; put DIR as debs/ into the kit's folder that cards are made from.
#
# A release is /opt/mafia/releases/VERSION-SUM; /opt/mafia/current is the one that runs. A new one
# is made beside it, tried, and only then current. If its service does not start, the old one is
# put back. Cut off at any point, the next run goes on: a release counts once it is complete.
#
# Exit codes: 0 done, or nothing to do; 1 failed, another try may help; 2 something is missing
# that somebody has to bring; 78 the card is wrong. The last line says what was found and what to do.
set -euo pipefail
umask 022
export LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1

KIT=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# Stands before the paths of the system's own files; only tests set it.
SYSTEM=${KIT_SYSTEM_ROOT:-}
OPT=$SYSTEM/opt/mafia
LOG=$OPT/install.log
# Patience in seconds: with somebody else's apt, with another install, with a service that starts.
# It is looked at so often, and has to be up twice.
APT_S=900
LOCK_S=900
START_S=90
LOOK_S=5

say() {
    printf 'install: %s\n' "$1"
}

fail() {
    printf 'install: %s\n' "$2" >&2
    exit "$1"
}

# Run "$@" with its output in the log; if it fails show the last of it.
quietly() {
    local status=0
    "$@" >"$LOG" 2>&1 </dev/null || status=$?
    if [ "$status" -ne 0 ]; then tail -n 8 "$LOG" >&2; fi
    return "$status"
}

# ---- the kit and the card ----

read_kit() {
    if [ ! -s "$KIT/VERSION" ] || [ ! -s "$KIT/SHA256SUMS" ]; then
        fail 1 "$KIT: no VERSION or no SHA256SUMS in it, so it is no whole kit: copy the card's folder again"
    fi
    { read -r VERSION && read -r BOARD; } <"$KIT/VERSION" ||
        fail 1 "$KIT/VERSION: expected two lines, the version and the board: copy the card's folder again"
    NAME=$VERSION-$(sha256sum "$KIT/SHA256SUMS" | cut -c1-8)
    RELEASE=$OPT/releases/$NAME
}

check_sums() {
    local wrong
    wrong=$(cd "$KIT" && sha256sum --check --quiet --strict SHA256SUMS 2>&1) ||
        fail 1 "$KIT is damaged (${wrong%%$'\n'*}): copy the card's folder again"
}

check_board() {
    local wanted found
    case $BOARD in
        pi5) wanted=3.13 ;;
        pi4) wanted=3.11 ;;
        *) fail 1 "$KIT/VERSION: board '$BOARD', expected pi5 or pi4: copy the card's folder again" ;;
    esac
    found=$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null || echo none)
    [ "$found" = $wanted ] ||
        fail 2 "this kit is for a $BOARD, whose system has Python $wanted; found: $found. Make the card for the other board, or write the other system's image"
}

# Set KIND and EYES from the card that is to be settled, else from the one that is.
read_kind() {
    local toml=$CARD/kit.toml
    [ -f "$toml" ] || toml=$SYSTEM/etc/mafia/kit.toml
    [ -f "$toml" ] ||
        fail 2 "no card: neither $CARD nor $SYSTEM/etc/mafia has a kit.toml. Copy the folder that was made for this card, whole"
    KIND=$(sed -n 's/^kind *= *"\(table\|seat\)".*/\1/p' "$toml" | head -n 1)
    [ -n "$KIND" ] || fail 78 "$toml: no line kind = \"table\" or kind = \"seat\": make the card again"
    EYES=''
    if grep -qE '^eyes *= *true' "$toml"; then EYES=yes; fi
}

# ---- Debian's packages ----

listed_packages() {
    sed 's/#.*//' "$KIT/apt-$1.txt" | tr -s '[:space:]' '\n' | sed '/^$/d'
}

# Print those of the packages for the kind $1 that are not installed.
missing_packages() {
    local package
    for package in $(listed_packages "$1"); do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || echo "$package"
    done
}

apt() {
    quietly apt-get -o "DPkg::Lock::Timeout=$APT_S" -o Dpkg::Options::=--force-confold \
        -o APT::Sandbox::User=root "$@"
}

# Read the package lists; of these apt-get does not wait for whoever else does.
update_lists() {
    local waited=0
    until apt update; do
        if [ "$waited" -ge "$APT_S" ] || ! grep -q 'Could not get lock' "$LOG"; then return 1; fi
        sleep 5
        waited=$((waited + 5))
    done
}

install_packages() {
    local missing kept
    mapfile -t missing < <(missing_packages "$1")
    if [ ${#missing[@]} -eq 0 ]; then return; fi
    say "Debian packages: ${missing[*]}"
    # What a power cut has left half done.
    quietly dpkg --configure -a || true
    if [ -f "$KIT/debs/Packages" ]; then
        kept=$(mktemp -d)
        mkdir -p "$kept/lists/partial"
        printf 'deb [trusted=yes] file:%s ./\n' "$KIT/debs" >"$kept/sources.list"
        local only=(-o "Dir::Etc::sourcelist=$kept/sources.list" -o Dir::Etc::sourceparts=/dev/null
            -o "Dir::State::lists=$kept/lists")
        if apt "${only[@]}" update && apt "${only[@]}" install -y --no-install-recommends "${missing[@]}"; then
            rm -rf "$kept"
            return
        fi
        rm -rf "$kept"
        say "debs/ has not all of them; the network is asked"
    fi
    update_lists || {
        on_screen packages
        fail 2 "Debian packages are missing (${missing[*]}), and the package lists cannot be read. Give this Pi the internet, or bring debs/: see the head of install.sh"
    }
    apt install -y --no-install-recommends "${missing[@]}" ||
        fail 2 "apt-get could not install: ${missing[*]}. Is the internet there, and room on the card?"
}

# Write into the folder $1 what the other Pis need for apt: files and their list.
keep_debs() {
    local packages package deb name lost=()
    mapfile -t packages < <(listed_packages table; listed_packages seat)
    update_lists || fail 2 "the package lists cannot be read: give this Pi the internet"
    apt install -y --no-install-recommends --download-only "${packages[@]}" ||
        fail 2 "apt-get could not fetch the packages: is the internet there, and room on the card?"
    mkdir -p "$1"
    rm -f "$1"/*.deb "$1/Packages"
    for deb in "$SYSTEM"/var/cache/apt/archives/*.deb; do
        [ -e "$deb" ] || fail 2 "nothing to keep: all is installed here, and apt's files are gone. Run it on a Pi whose card was written anew"
        # Apt's own name may have a %3a in it, which a kit's folder does not take.
        name=$(dpkg-deb -f "$deb" Package)_$(sha256sum "$deb" | cut -c1-12).deb
        cp "$deb" "$1/$name"
        dpkg-deb -f "$deb"
        printf 'Filename: ./%s\nSize: %s\nSHA256: %s\n\n' "$name" "$(stat -c %s "$deb")" \
            "$(sha256sum "$deb" | cut -c1-64)"
    done >"$1/Packages.new"
    mv "$1/Packages.new" "$1/Packages"
    for package in "${packages[@]}"; do
        compgen -G "$1/${package}_*.deb" >/dev/null || lost+=("$package")
    done
    if [ ${#lost[@]} -gt 0 ]; then say "was in this system already, so not kept: ${lost[*]}"; fi
    say "kept in $1: put it as debs/ into the kit's folder that cards are made from"
}

# ---- the release ----

# Make the release; it counts once it is tried, and complete.
make_release() {
    local pip=("$RELEASE/bin/python" -m pip install --no-index --find-links "$KIT/wheels"
        --constraint "$KIT/constraints.txt")
    say "$NAME: Python packages"
    rm -rf "$RELEASE"
    mkdir -p "$RELEASE"
    quietly python3 -m venv --system-site-packages "$RELEASE" ||
        fail 1 "python3 -m venv failed: is there room on the card? df -h /"
    case $KIND in
        table) quietly "${pip[@]}" "mafia-table-kit[table,club]==$VERSION" ;;
        seat)
            quietly "${pip[@]}" "mafia-table-kit[seat]==$VERSION" &&
                quietly "${pip[@]}" --no-deps -r "$KIT/eyes.txt" &&
                cp -R "$KIT/models" "$RELEASE/models"
            ;;
    esac || fail 1 "pip could not install from $KIT/wheels; the whole story is in $LOG"
    printf '%s\n' "$KIND" >"$RELEASE/kind"
    # On the disk before it is said to be.
    sync
    touch "$RELEASE/made"
}

# Let a seat's screen say $1, where the seat itself does not run yet.
on_screen() {
    if [ "$KIND" = table ] || [ ! -e "$RELEASE/made" ] || [ -e "$OPT/current" ]; then return; fi
    "$RELEASE/bin/python" -I -m seat_node.notice "$1" --card "$CARD/kit.toml" 2>/dev/null || true
}

try_release() {
    local tried
    case $KIND in
        table) tried='import table_controller.program, table_controller.league' ;;
        seat) tried='import seat_node.program, luma.oled.device; from seat_node import models
lost = models.missing(models.default_directory(), models.read_lock())
if lost: raise SystemExit(f"no model {lost[0].file}")' ;;
    esac
    if [ "$KIND$EYES" = seatyes ]; then tried+=$'\nfrom seat_node import lean; lean.spare_drawing(); import mediapipe'; fi
    { quietly "$RELEASE/bin/mafia-$KIND" --version && grep -qF " $VERSION" "$LOG" &&
        MAFIA_MODELS=$RELEASE/models quietly "$RELEASE/bin/python" -I -c "$tried"; } || {
        on_screen failed
        fail 1 "$NAME does not work on this system; nothing was changed. The whole story is in $LOG"
    }
    sync
    touch "$RELEASE/complete"
}

# Let "$2" lead to "$1", at once.
link() {
    if [ "$(readlink "$2" 2>/dev/null)" = "$1" ]; then return; fi
    ln -sfn "$1" "$2.new"
    mv -T "$2.new" "$2"
}

# Print the name of the release that "$1" leads to: current or before.
release_at() {
    local led
    led=$(readlink "$OPT/$1" 2>/dev/null) || return 0
    basename "$led"
}

# Make $1 the release that runs. The units keep /opt/mafia/bin.
switch_to() {
    local old
    old=$(release_at current)
    if [ -n "$old" ] && [ "$old" != "$1" ]; then link "releases/$old" "$OPT/before"; fi
    link "releases/$1" "$OPT/current"
    link current/bin "$OPT/bin"
    link current/models "$OPT/models"
    mkdir -p "$SYSTEM/usr/local/bin"
    link "/opt/mafia/bin/mafia-$KIND" "$SYSTEM/usr/local/bin/mafia-$KIND"
}

remove_older() {
    local release
    for release in "$OPT"/releases/*; do
        case $(basename "$release") in
            "$(release_at current)" | "$(release_at before)") ;;
            *) rm -rf "$release" ;;
        esac
    done
}

# Settle by the release $1, with the card's folder $2 if it is there. Sets CHANGED.
settle() {
    local words=() status=0
    if [ -d "$2" ]; then words=(--card "$2"); fi
    CHANGED=$("$OPT/releases/$1/bin/python" -I -m firmware.image.settle "${words[@]}") || status=$?
    if [ "$status" -ne 0 ]; then fail "$status" "the card could not be settled: see the line above"; fi
    if [ -n "$CHANGED" ]; then printf '%s\n' "$CHANGED"; fi
}

# ---- the services ----

services() {
    case $KIND in
        table) echo mosquitto mafia-table nginx ;;
        seat) echo mafia-seat ;;
    esac
}

systemd_runs() {
    [ -d "$SYSTEM/run/systemd/system" ]
}

active() {
    systemctl is-active --quiet "$1.service"
}

# Start all anew; wait until each of "$@" is up and stays so.
restart_all() {
    local service waited looks=0
    systemctl daemon-reload
    # shellcheck disable=SC2046  # a service a word
    systemctl restart --no-block $(services)
    case $KIND$EYES in
        table) systemctl start --no-block avahi-daemon mafia-hotspot ;;
        seat) systemctl stop --no-block mafia-eyes ;;
        seatyes) systemctl restart --no-block mafia-eyes ;;
    esac
    for ((waited = 0; waited < START_S; waited += LOOK_S)); do
        sleep "$LOOK_S"
        looks=$((looks + 1))
        for service in "$@"; do active "$service" || looks=0; done
        if [ "$looks" -ge 2 ]; then return; fi
    done
    return 1
}

# Print the services that are up.
services_up() {
    local service
    systemd_runs || return 0
    for service in $(services); do if active "$service"; then echo "$service"; fi; done
}

# Run release $1, in place of $2 ("": the first). If one of the services "${@:3}", which were up
# with that, does not start any more, put it back.
run_release() {
    local service
    switch_to "$1"
    systemd_runs || return 0
    # shellcheck disable=SC2046  # a service a word
    if restart_all $(services); then return; fi
    for service in "${@:3}"; do
        active "$service" && continue
        if [ -z "$2" ] || [ "$2" = "$1" ]; then break; fi
        link "releases/$2" "$OPT/current"
        rm -f "$OPT/before" "$OPT/releases/$1/made" "$OPT/releases/$1/complete"
        settle "$2" ''
        restart_all "${@:3}" || true
        fail 1 "$service does not start with $1: $2 is back. Why: journalctl -u $service"
    done
    FAILED=yes
}

name_what_does_not_start() {
    local service
    touch "$OPT/installed"
    for service in $(services); do
        active "$service" || fail 1 "$1 is installed, but $service does not start: journalctl -u $service"
    done
}

# ---- what can be asked for ----

lock() {
    mkdir -p "$OPT/releases"
    exec 9>"$OPT/lock"
    flock -w "$LOCK_S" 9 || fail 1 "another install.sh has run for $((LOCK_S / 60)) minutes: see what it does, or start the Pi again"
}

install() {
    local old up made=''
    read_kit
    read_kind
    lock
    old=$(release_at current)
    if [ -n "$old" ] && [ "$(cat "$OPT/releases/$old/kind" 2>/dev/null)" != "$KIND" ]; then
        fail 78 "this card is a $KIND's, but the system was set up for another kind: write the system's image onto the card anew, then the card's folder"
    fi
    if [ ! -e "$RELEASE/complete" ]; then
        check_sums
        check_board
    fi
    # The packages may want a network; until there is one, what is made can say so.
    python3 -c 'import ensurepip' 2>/dev/null || install_packages "$KIND"
    if [ ! -e "$RELEASE/made" ]; then make_release; fi
    on_screen installing
    install_packages "$KIND"
    if [ ! -e "$RELEASE/complete" ]; then
        try_release
        made=yes
    fi
    mapfile -t up < <(services_up)
    settle "$NAME" "$CARD"
    FAILED=''
    if [ -n "$made$CHANGED" ] || [ "$old" != "$NAME" ] || [ ! -e "$OPT/installed" ]; then
        run_release "$NAME" "$old" "${up[@]}"
    fi
    if [ -d "$CARD" ]; then
        "$RELEASE/bin/python" -I -m firmware.image.settle --card "$CARD" --forget ||
            fail 1 "the card's secrets are still in $CARD: remove that folder"
    fi
    remove_older
    [ -z "$FAILED" ] || name_what_does_not_start "$NAME"
    if [ -e "$OPT/installed" ] && [ -z "$made$CHANGED" ] && [ "$old" = "$NAME" ]; then
        say "nothing to do: $NAME is installed"
    else
        say "done: $NAME is installed"
    fi
    touch "$OPT/installed"
}

go_back() {
    local old new up
    read_kind
    lock
    old=$(release_at current)
    new=$(release_at before)
    if [ -z "$new" ] || [ ! -e "$OPT/releases/$new/complete" ]; then
        fail 2 "there is no release before ${old:-this one} to go back to"
    fi
    mapfile -t up < <(services_up)
    settle "$new" ''
    FAILED=''
    run_release "$new" "$old" "${up[@]}"
    [ -z "$FAILED" ] || name_what_does_not_start "$new"
    say "done: $new runs again; $old is kept"
}

check() {
    local missing
    read_kit
    read_kind
    check_sums
    check_board
    mapfile -t missing < <(missing_packages "$KIND")
    if [ ${#missing[@]} -gt 0 ]; then say "Debian packages to install: ${missing[*]}"; fi
    if [ "$(release_at current)" = "$NAME" ]; then say "$NAME is installed"; else say "$NAME can be installed"; fi
}

CARD=$KIT/../card
ACTION=install
while [ $# -gt 0 ]; do
    case $1 in
        --card | --keep-debs)
            [ $# -gt 1 ] || fail 2 "$1: which folder?"
            if [ "$1" = --card ]; then CARD=$2; else ACTION=keep_debs DEBS=$2; fi
            shift
            ;;
        --back) ACTION=go_back ;;
        --check) ACTION=check ;;
        *) fail 2 "$1: expected --card FOLDER, --check, --back or --keep-debs DIR" ;;
    esac
    shift
done
[ "$(id -u)" -eq 0 ] || fail 2 "needs root: sudo $0"
if [ "$ACTION" = keep_debs ]; then
    mkdir -p "$OPT"
    keep_debs "$DEBS"
else
    "$ACTION"
fi
