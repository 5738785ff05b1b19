"""The words that the page's scripts write, in the viewer's language."""

from collections.abc import Callable

Translate = Callable[[str], str]


def page_words(t: Translate) -> dict[str, str]:
    """Return what the page may say while a game runs.

    Keys are ``group.value`` with the values of the board's own enums.
    ``{name}`` in a text is filled in by the page. The words for roles are not
    among them: they come with :func:`end_words`, once the game is over.
    """
    return {
        "phase.waiting": t("Waiting for players"),
        "phase.seating": t("Players take their seats"),
        "phase.look": t("Look at your cards"),
        "phase.night": t("Night"),
        "phase.morning": t("Morning"),
        "phase.speech": t("Speeches"),
        "phase.reading": t("The list is read out"),
        "phase.ballot": t("Vote"),
        "phase.counting": t("Votes are being counted"),
        "phase.tie_speech": t("Tie: speeches"),
        "phase.lift": t("Vote on all tied seats"),
        "phase.farewell": t("Farewell"),
        "phase.farewell_picks": t("Farewell: last picks"),
        "phase.over": t("Game over"),
        "paused": t("Paused"),
        "day": t("Day {day}"),
        "night": t("Night {night}"),
        "night.0": t("Night of acquaintance"),
        "ready": t("{ready} of 10 ready"),
        "clock.look": t("cards"),
        "clock.morning": t("morning"),
        "clock.speech": t("speech"),
        "clock.silent": t("silent slot"),
        "clock.pick": t("last moment to nominate"),
        "clock.read": t("reading"),
        "clock.ballot": t("against"),
        "clock.ballot_gap": t("next candidate"),
        "clock.roll_call": t("waiting for a seat's device"),
        "clock.tie_speech": t("tie speech"),
        "clock.lift": t("remove all?"),
        "clock.farewell": t("farewell"),
        "clock.farewell_picks": t("silent picks"),
        "clock.shout": t("shout"),
        "tag.speaks": t("speaks"),
        "tag.silent": t("silent slot"),
        "tag.shouts": t("shouts"),
        "tag.silenced": t("no speech"),
        "tag.nominee": t("nominee {place}"),
        "tag.called": t("vote now"),
        "tag.leaving": t("leaves"),
        "tag.ready": t("ready"),
        "tag.offline": t("offline"),
        "tag.crown": t("crown from {seat}"),
        "tag.suspects": t("suspects {seats}"),
        "tag.no_suspects": t("no suspects"),
        "cause.vote": t("voted out"),
        "cause.lift": t("out by lift"),
        "cause.single": t("only nominee"),
        "cause.shot": t("shot"),
        "fouls": t("fouls: {fouls}"),
        "empty": t("empty"),
        "seat": t("Seat {seat}"),
        "sign": t("seat {seat}: {gesture}"),
        "gesture.number": t("number {number}"),
        "gesture.thumb_up": t("thumb up"),
        "gesture.thumb_down": t("thumb down"),
        "gesture.ok": t("ok ring"),
        "gesture.ring_tap": t("ring tap"),
        "gesture.hook": t("hook"),
        "gesture.fist": t("fist"),
        "gesture.open_palm": t("open palm"),
        "gesture.pistol": t("pistol"),
        "ballot.vote": t("Day {day}: vote"),
        "ballot.revote": t("Day {day}: revote"),
        "ballot.lift": t("Day {day}: lift"),
        "ballot.for": t("for removing all"),
        "ballot.needed": t("{votes} of {living}, more than half needed"),
        "ballot.none": t("nobody"),
        "ballot.leaves": t("most votes"),
        "ballot.tie": t("tied"),
        "ballot.passed": t("passed"),
        "ballot.failed": t("not passed"),
        "automatic": t("automatic"),
        "nominees.none": t("Nobody is nominated yet"),
        "shot.seat": t("Shot last night: seat {seat}"),
        "shot.miss": t("Nobody was shot last night"),
        "mistakes": t("Right to a mistake, at least: {mistakes}"),
        "news.none": t("no news for {seconds} s"),
        "news.live": t("live"),
        "news.poll": t("live, every 2 s"),
        "notice.link lost": t("The table has lost its link"),
        "notice.paused after a restart": t("Paused after a restart"),
    }


def end_words(t: Translate) -> dict[str, str]:
    """Return what the page may say only when the game is over."""
    return {
        "role.citizen": t("Citizen"),
        "role.sheriff": t("Sheriff"),
        "role.mafia": t("Mafia"),
        "role.don": t("Don"),
        "winner.town": t("The town wins"),
        "winner.mafia": t("The mafia win"),
        "winner.draw": t("A draw"),
        "points.classic": t("Classic {points}"),
        "points.max": t("Max"),
    }
