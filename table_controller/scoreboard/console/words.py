"""The words that the host's console writes, besides those of the scoreboard.

None of them knows a role, and none a vote's direction.
"""

from table_controller.misfits import MISFIT
from table_controller.scoreboard.words import Translate, page_words


def console_words(t: Translate) -> dict[str, str]:
    """Return what the console's scripts may say; keys as in :func:`page_words`."""
    return (
        page_words(t)
        | _state_words(t)
        | _seat_words(t)
        | _order_words(t)
        | _fair_play_words(t)
        | _table_words(t)
    )


def _state_words(t: Translate) -> dict[str, str]:
    return {
        "phase.lobby": t("No game"),
        "console.void": t("Ended without a result"),
        "news.old": t("As it was {seconds} s ago. Asking again …"),
        "news.lost": t("The link to the table is lost"),
        "news.back": t("The link to the table is back"),
        "console.halted": t("The disk takes nothing: the game stands"),
        "asking.again": t("No answer yet. Asking again …"),
        "asking.unknown": t(
            "The table has not answered: it is not known whether this was done: {order}"
        ),
        "asking.once_more": t("Ask again"),
        "asking.shut": t("You are no longer logged in."),
        "refused.head": t("Not done: {order}"),
        "refused.changed": t("What has changed since:"),
        "done": t("Done: {order}"),
        "ok": t("OK"),
        "undo.none": t("Nothing to undo"),
        "undo.last": t("Undo: {text}"),
        "undo.this": t("Undo this"),
        "undo.with": t("Undo this and all above"),
        "voted.count": t("{done} of {all} have voted"),
        "voted.waits": t("Not yet: {seats}"),
        "line.next": t("Tap to call the next"),
        "confirm.no": t("No, back"),
    }


def _seat_words(t: Translate) -> dict[str, str]:
    return {
        "state.living": t("in the game"),
        "state.out": t("out"),
        "mark.voted": t("has voted"),
        "mark.waits": t("no vote yet"),
        "mark.offline": t("offline"),
        "mark.kit": t("kit {kit}, not {own}"),
        "mark.away": t("away {seconds} s"),
        "mark.technical": t("technical fouls: {count}"),
        "mark.ruled": t("at dawn: {what}"),
        "mark.identify": t("shows itself"),
        "mark.camera_off": t("camera off"),
        "mark.pressed": t("pressed"),
        "mark.stuck_vote": t("VOTE stays pressed"),
        "mark.stuck_shout": t("SHOUT stays pressed"),
        "mark.lacks.shout": t("no SHOUT button"),
        "mark.lacks.lamp": t("no lamp"),
        "mark.lacks.camera": t("no camera"),
        "mark.lacks.eyes": t("no camera"),
        "mark.lacks.screen": t("no screen"),
        "seat.nobody": t("nobody"),
        "seat.no_vote": t("no vote"),
        "seat.for": t("for it"),
        "seat.free": t("Seat {seat}"),
        "seat.kit": t(MISFIT),
        "seat.device": t("Device: {user}"),
        "seat.spare": t("{user}, spare"),
        "seat.with": t("{user}, now at seat {seat}"),
    }


def _order_words(t: Translate) -> dict[str, str]:
    return {
        "do.pause": t("Pause"),
        "do.resume": t("Go on"),
        "do.end_countdown": t("Go on now"),
        "do.end.look": t("Cards away"),
        "do.end.morning": t("On with the day"),
        "do.end.speech": t("End the speech"),
        "do.end.silent": t("End the silent slot"),
        "do.end.tie_speech": t("End the tie speech"),
        "do.end.farewell": t("End the farewell"),
        "do.end.farewell_picks": t("Close the picks"),
        "do.end.shout": t("End the shout"),
        "do.end.read": t("Begin the vote"),
        "do.change_countdown": t("{by} s for: {clock}"),
        "do.by": t("{by} s"),
        "do.give_foul": t("Foul for seat {seat}"),
        "do.take_back_foul": t("Take back a foul of seat {seat}"),
        "do.correct_nomination": t("Seat {speaker} nominates {nominee}"),
        "do.correct_vote": t("The vote of seat {seat}"),
        "do.call_again": t("Call again"),
        "do.open_grounds": t("Grounds against seat {seat}"),
        "do.put_opponent_victory": t("Stop the game over seat {seat}"),
        "do.rule.technical_foul": t("Technical foul for seat {seat}"),
        "do.rule.disqualification": t("Disqualify seat {seat}"),
        "do.withdraw": t("Seat {seat} leaves without fault"),
        "do.void": t("End without a result"),
        "do.undo": t("Undo"),
        "do.go_on": t("Go on without the lost seats"),
        "do.swap": t("Another device for seat {seat}"),
        "do.identify": t("Show where it is"),
        "do.place": t("Place the devices"),
        "do.practice": t("Practise a vote"),
        "do.skip_readiness": t("Skip this round"),
        "do.new_game": t("Start the game"),
        "do.rematch": t("Rematch, new seats"),
        "do.camera": t("Camera of seat {seat}"),
        "do.next_line": t("Call the next"),
        "do.volume": t("Volume"),
        "do.music": t("Music"),
        "do.read_out": t("Calls by hand"),
        "do.backup": t("Make a backup"),
        "do.shutdown": t("Switch the table off"),
        "sure.withdraw": t("Seat {seat} leaves at dawn. This cannot be undone."),
        "sure.rule": t("Seat {seat} is disqualified at dawn. This cannot be undone."),
        "sure.shutdown": t("The table switches itself off. The devices stay on."),
        "sure.new_game": t("A new game begins: the last one can no longer be corrected."),
    }


def _fair_play_words(t: Translate) -> dict[str, str]:
    return {
        "offence.insults": t("insults"),
        "offence.aggressive_gestures": t("aggressive gestures"),
        "offence.bets": t("offering bets"),
        "offence.religion": t("appeals to religion"),
        "offence.foreign_language": t("a language others do not know"),
        "offence.obscenity": t("obscenity at players"),
        "offence.outside_arguments": t("arguments from outside the game"),
        "offence.forbidden_gesture": t("the forbidden gesture"),
        "offence.away": t("away from the table"),
        "offence.messages": t("messages with other players"),
        "offence.threats": t("threats"),
        "offence.nudity": t("nudity"),
        "sanction.technical_foul": t("technical foul"),
        "sanction.disqualification": t("disqualification"),
        "sanction.opponent_victory": t("Opponent Victory"),
        "source.presence": t("seen by the camera"),
        "source.gesture": t("seen by the camera"),
        "source.host": t("opened by the host"),
        "source.seat": t("seat {by}, confirmed by seat {second}"),
        "grounds.line": t("Seat {seat}: {offence}"),
        "grounds.waits": t("motion at the next gap: {sanction}"),
        "grounds.put": t("the motion was put"),
        "grounds.stop": t("Opponent Victory against seat {seat}, at the next gap"),
        "grounds.open": t("Motion: {sanction} for seat {seat}"),
        "grounds.needed": t("{needed} of {voters} needed"),
        "grounds.accused": t("Seat {by} accuses seat {seat}: {offence}"),
        "grounds.second": t("waits for a second seat"),
    }


def _table_words(t: Translate) -> dict[str, str]:
    return {
        "round.done": t("{done} of 10 have pressed both buttons"),
        "round.missing": t("Still to press: {seats}"),
        "round.practice": t("All practise a vote; it counts for nothing"),
        "round.ready": t("All press VOTE under their name for the deal"),
        "place.asks": t("Whoever sits at seat {seat} presses VOTE"),
        "place.done": t("Placed so far: {count}"),
        "place.all": t("All seats have been asked"),
        "spare.online": t("live"),
        "voice.off": t("No voice: read out what the page shows"),
        "player.place": t("Player {place}"),
        "player.seat": t("Player of seat {seat}"),
        "player.up": t("Player {place} one up"),
        "player.down": t("Player {place} one down"),
        "player.barred": t("barred: {until}"),
        "player.short": t("Ten names are needed; these are missing: {places}"),
        "player.twice": t("This name stands twice: {name}"),
        "ruleset.default": t("Normal"),
        "ruleset.turbo": t("Turbo"),
    }
