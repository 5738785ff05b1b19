"""Players of the club, who is barred, and private appeals; later its finished games.

For the threads of the web server and for commands: a call waits for the disk,
so the table's own loop makes none. What an order of the host needs of the league
is looked up before the order is given to the loop::

    league = open_league(Path(card.data_dir) / FILE, clock)
    people = league.ten_of(["9f2c61a0b4d7", "Anna", ...], league.today())   # raises Refused, Barred
    names = [person.name for person in people]
    league.players.keep_ten(people)

Only this package imports SQLAlchemy.
"""

from table_controller.league.appeals import Appeal as Appeal
from table_controller.league.appeals import Case as Case
from table_controller.league.appeals import Verdict as Verdict
from table_controller.league.bars import Bar as Bar
from table_controller.league.bars import Barred as Barred
from table_controller.league.league import FILE as FILE
from table_controller.league.league import League as League
from table_controller.league.league import open_card_league as open_card_league
from table_controller.league.league import open_league as open_league
from table_controller.league.league import today as today
from table_controller.league.names import Refused as Refused
from table_controller.league.players import Entry as Entry
from table_controller.league.players import Person as Person
from table_controller.league.players import Player as Player
from table_controller.league.players import Taken as Taken
from table_controller.league.wording import until as until
