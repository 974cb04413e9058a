"""Home: unfinished games, today's puzzle, the games, and everything else."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from importlib.util import find_spec
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option as ListEntry

from pentagrid.analysis.sentences import counted
from pentagrid.core.catalog import find
from pentagrid.errors import PentagridError
from pentagrid.terminal.app.background_thread import on_thread
from pentagrid.terminal.app.choice_list import ChoiceList, hanging
from pentagrid.terminal.app.games_offered import newcomers_first
from pentagrid.terminal.app.key_footer import KeyFooter
from pentagrid.terminal.app.saved_list import SavedRecord, open_saved, saved_records

if TYPE_CHECKING:
    from pentagrid.terminal.remote.held_games import HeldGame

MOST_UNFINISHED = 3
"""Unfinished games on home, of those saved here and of those on servers; `pentagrid games` lists them all."""
ASK_SECONDS = 12.0
"""How long a server may take to say how its games stand."""
ASK_AGAIN_SECONDS = 30.0
"""The time after which the servers are asked again, as long as home is shown."""


class HomeScreen(Screen[None]):
    """One list of everything there is to do."""

    DEFAULT_CSS = """
    HomeScreen OptionList { height: 1fr; padding: 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(str(number), f"play_numbered({number})", "Play the game of this number", show=False)
            for number in range(1, 10)
        ),
        Binding("c", "resume", "Continue the last game", show=False),
        Binding("d", "daily", "Puzzle of the day"),
        Binding("p", "puzzles", "Puzzles"),
        Binding("w", "watch", "Watch"),
        Binding("s", "saved", "Saved games"),
        Binding("b", "streaks", "Streaks", show=False),
        Binding("o", "join", "Join a game on a server", show=False),
        Binding("r", "rules", "Rules"),
        Binding("q", "app.leave", "Leave"),
        Binding("j", "cursor_down", "Down", show=False),
        Binding("k", "cursor_up", "Up", show=False),
    ]

    class GameTold(Message):
        """A server has said how a game stands."""

        def __init__(self, game: HeldGame) -> None:
            super().__init__()
            self.game = game

    def __init__(self) -> None:
        super().__init__()
        self.unfinished: list[SavedRecord] = []
        self.served: list[HeldGame] = []
        """The games on servers that one sits in, as far as they are known."""
        self.has_network = find_spec("websockets") is not None
        """Is the package there that games on servers need?"""
        self._daily = "Puzzle of the day"
        self._listed = self._looked = self._begun = self._is_told = False

    def compose(self) -> ComposeResult:
        yield Static("Pentagrid: five small grid games for two", classes="title", markup=False)
        yield ChoiceList(*self._entries())
        yield KeyFooter()

    def _entries(self) -> Iterable[ListEntry | None]:
        for number, saved in enumerate(self.unfinished[:MOST_UNFINISHED]):
            yield self._entry("c" if number == 0 else " ", f"Go on: {saved.turn_sentence()}", f"unfinished-{number}")
        for number, held in enumerate(self.served[:MOST_UNFINISHED]):
            letter = " " if self.unfinished or number else "c"
            yield self._entry(letter, f"Go on: {held.sentence()}", f"served-{held.link}")
        if self.unfinished or self.served:
            yield None
        yield self._entry("d", self._daily, "daily")
        yield None
        for number, game in enumerate(newcomers_first(), 1):
            yield self._entry(str(number), f"{game.title}\n{game.sentence}", f"game-{game.name}")
        yield None
        yield self._entry("p", "Puzzles, one after the other", "puzzles")
        yield self._entry("w", "Watch two computers play", "watch")
        if self.has_network:
            yield self._entry("o", "Join a game on a server", "join")
        yield self._entry("s", "Saved games: go on, or review", "saved")
        yield self._entry("b", "Streaks: how many puzzles you have solved", "streaks")
        yield self._entry("r", "Rules of the games", "rules")
        yield self._entry("q", "Leave", "leave")

    def _entry(self, letter: str, text: str, name: str) -> ListEntry:
        return ListEntry(hanging(letter, text, self.app.size.width - 3), id=name)

    def on_resize(self) -> None:
        self._relist()

    def _relist(self) -> None:
        """Make the list again, with the bar where it was."""
        entries, begin = self._list(), f"game-{newcomers_first()[0].name}"
        before = entries.highlighted_option
        at = before.id if before is not None and self._listed else begin
        if self._looked and not self._begun:  # the first look is over: a game to go on with comes first
            at = "unfinished-0" if self.unfinished and at == begin else at
            self._begun = True
        entries.set_options(list(self._entries()))
        names = [option.id for option in entries.options]
        entries.highlighted = names.index(at) if at in names else 0
        self._listed = True

    def on_mount(self) -> None:
        self.set_interval(ASK_AGAIN_SECONDS, self._ask_again)

    def on_screen_resume(self) -> None:
        self._look()

    def _list(self) -> OptionList:
        return self.query_one(OptionList)

    @work(exclusive=True, group="look")
    async def _look(self) -> None:
        """Find the unfinished games and how far the puzzle of the day is; the screen is there already."""
        self.unfinished = [saved for saved in await on_thread(saved_records) if saved.unfinished]
        self._daily = await on_thread(_daily_line)
        self._looked = True
        self._relist()
        if self.has_network:
            self._ask_servers()

    def _ask_again(self) -> None:
        if self.is_current and self.served:
            self._ask_servers()

    @work(exclusive=True, group="servers")
    async def _ask_servers(self) -> None:
        """Find the games on servers; what is known stands there before the servers answer."""
        from pentagrid.terminal.remote.seat_keys import SeatKeyFile

        if not SeatKeyFile().path.exists():
            return
        from pentagrid.terminal.remote.held_games import ask_servers, held_games

        try:
            found = await on_thread(held_games)
            known = {game.link: game for game in self.served}
            self._list_served([known.get(game.link, game) for game in found])
            self._list_served(await on_thread(lambda: ask_servers(found, ASK_SECONDS, self._heard)))
        except PentagridError as error:  # about the file of keys
            if not self._is_told:
                self.app.notify(str(error), markup=False, severity="error")
                self._is_told = True

    def _heard(self, game: HeldGame) -> None:
        """Called on a thread that asks: a server has said how a game stands."""
        self.post_message(self.GameTold(game))

    @on(GameTold)
    def _learn(self, event: GameTold) -> None:
        games = [event.game if each.link == event.game.link else each for each in self.served]
        self._list_served([each for each in games if not each.is_over])

    def _list_served(self, games: list[HeldGame]) -> None:
        if games != self.served:
            self.served = games
            self._relist()

    # What is opened -------------------------------------------------------------------------------------

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        name = event.option_id or ""
        if name.startswith("game-"):
            self.action_play_game(name.removeprefix("game-"))
        elif name.startswith("unfinished-"):
            self._go_on(self.unfinished[int(name.removeprefix("unfinished-"))])
        elif name.startswith("served-"):
            self._go_on_there(next(game for game in self.served if name == f"served-{game.link}"))
        elif name == "leave":
            self.run_worker(self.app.action_quit())
        else:
            getattr(self, f"action_{name}")()

    def action_cursor_down(self) -> None:
        self._list().action_cursor_down()

    def action_cursor_up(self) -> None:
        self._list().action_cursor_up()

    def action_play_numbered(self, number: int) -> None:
        games = newcomers_first()
        if number <= len(games):
            self.action_play_game(games[number - 1].name)

    @work
    async def action_play_game(self, name: str) -> None:
        """Ask how, and play."""
        from pentagrid.terminal.app.game_screen import GameScreen
        from pentagrid.terminal.app.new_game_screen import NewGameScreen

        plan = await self.app.push_screen_wait(NewGameScreen(find(name)))
        if plan is None:
            return
        try:
            record = await on_thread(plan.begin)
        except PentagridError as error:
            self.app.notify(str(error), markup=False, severity="error")
            return
        self.app.push_screen(GameScreen(record, plan=plan))

    def action_resume(self) -> None:
        if self.unfinished:
            self._go_on(self.unfinished[0])
        elif self.served:
            self._go_on_there(self.served[0])

    @work(exclusive=True, group="open")
    async def _go_on_there(self, held: HeldGame) -> None:
        """Come back to a seat on a server."""
        from pentagrid.terminal.app.served_screen import ServedScreen
        from pentagrid.terminal.remote.served_game import ServedGame

        self.app.notify(f"Asking {held.link.server.place} …", markup=False, timeout=2)
        try:
            game = await on_thread(lambda: ServedGame.join(held.link))
        except PentagridError as error:
            self.app.notify(str(error), markup=False, severity="error")
            return
        if self.is_current:  # else someone has gone elsewhere meanwhile
            self.app.push_screen(ServedScreen(game))

    def _go_on(self, saved: SavedRecord) -> None:
        open_saved(self.app, saved)

    def action_daily(self) -> None:
        from pentagrid.terminal.app.puzzle_screen import PuzzleScreen

        self.app.push_screen(PuzzleScreen.daily())

    def action_puzzles(self) -> None:
        from pentagrid.terminal.app.puzzle_choice import PuzzleChoice

        self.app.push_screen(PuzzleChoice())

    def action_watch(self) -> None:
        from pentagrid.terminal.app.watch_screen import WatchChoice

        self.app.push_screen(WatchChoice())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self.has_network if action == "join" else True

    @work
    async def action_join(self) -> None:
        """Ask for the link of a game on a server, and open it."""
        from pentagrid.terminal.app.join_screen import JoinScreen
        from pentagrid.terminal.app.served_screen import ServedScreen

        game = await self.app.push_screen_wait(JoinScreen())
        if game is not None:
            self.app.push_screen(ServedScreen(game))

    def action_saved(self) -> None:
        from pentagrid.terminal.app.saved_screen import SavedScreen

        self.app.push_screen(SavedScreen())

    def action_streaks(self) -> None:
        from pentagrid.terminal.app.streak_screen import StreakScreen

        self.app.push_screen(StreakScreen())

    def action_rules(self, name: str = "") -> None:
        from pentagrid.terminal.app.rules_screen import RulesScreen

        self.app.push_screen(RulesScreen(name or newcomers_first()[0].name))


def _daily_line() -> str:
    from pentagrid.terminal.commands.puzzle import today
    from pentagrid.terminal.streaks import StreakFile

    try:
        streaks, _ = StreakFile().look()
    except PentagridError:
        return "Puzzle of the day"
    day: date = today()
    answered = {None: "not answered yet", True: "solved", False: "answered, not solved at first"}[streaks.days.get(day)]
    return f"Puzzle of the day: {answered}; {counted(streaks.days_now(day), 'day')} in a row"
