// What the scripts of the pages share among themselves. What comes from the server is in api.d.ts.

declare namespace Page {
  // Elements by their id; every other one is a plain HTMLElement.
  interface Elements {
    another: HTMLFormElement;
    back: HTMLButtonElement;
    editor: HTMLFormElement;
    file: HTMLInputElement;
    first: HTMLButtonElement;
    invited: HTMLFormElement;
    last: HTMLButtonElement;
    layers: HTMLFieldSetElement;
    move: HTMLInputElement;
    name: HTMLInputElement;
    new: HTMLFormElement;
    next: HTMLButtonElement;
    paste: HTMLFormElement;
    "play-on": HTMLFormElement;
    import: HTMLInputElement;
    pace: HTMLSelectElement;
    sound: HTMLInputElement;
    text: HTMLTextAreaElement;
    typed: HTMLFormElement;
  }

  type Attributes = Record<string, string | number | boolean | null | undefined | ((event: any) => unknown)>;
  type Child = Node | string | null | undefined;

  // A move and what it touches.
  type Touching = Pick<Api.MoveData, "touch">;
  type LineStep = Pick<Api.LineMoveData, "player" | "touch">;

  // Anything on a board that can be chosen: a cell or the handle of a line.
  interface Spot {
    key: string;
    kind: "cell" | "line";
    index: number;
    sum: number | null; // of a line
    label: string;
    owner: number;
    available: boolean;
    move?: string | null;
    row: number;
    column: number;
    x: number;
    y: number;
  }
  type Path = Api.MoveData & { path: string[] };

  // What is written on a move.
  interface Badge {
    text: string;
    title: string;
    winner: number | null;
    best: boolean;
    strength: number;
  }

  interface Drawing {
    names: string[];
    playable?: boolean;
    hints?: boolean;
    last?: Touching | null;
    badges?: Map<string, Badge> | null;
    line?: LineStep[] | null;
    label?: string;
    sending?: string | null;
    idle?: string;
  }

  interface Choosing {
    onMove: (move: string) => unknown;
    onRefused: (move: string) => unknown;
    onHover?: (move: string | null) => unknown;
    onSay?: (text: string) => unknown;
    onIdle?: (text: string) => unknown;
  }

  interface Players {
    board: Api.BoardData;
    seats: (Pick<Api.SeatData, "name" | "kind"> & Partial<Api.SeatData>)[];
    turn: number | null;
    connected?: Api.ConnectedData | null;
    you?: number[];
    winner?: number | null;
    clock?: string | null;
    facts?: (string | null)[];
  }

  // A review as it comes: nodes and choices so far; line: what it is of; whole: is all there?
  type Review = Api.ReviewData & { line: string; whole: boolean };
  type ReviewLine =
    | { kind: "position"; number: number; of: number; node: Api.AnalysisData; choice: Api.ChoiceData | null }
    | { kind: "end"; accuracy: (number | null)[]; given_away: number[] }
    | { kind: "problem"; code: string; message: string };

  // A review as it is told: with the names, and after how many moves it stands.
  type Told = Api.ReviewData & { names: string[]; at: number };
  type Go = (number: number, move: string | null) => unknown;
  type Hover = (number: number | null, move: string | null) => void;

  // What comes over the WebSocket.
  interface Event {
    revision: number;
    kind: string;
    seat?: number;
    said: string;
  }
  type Message =
    | { type: "problem"; code: string; message: string; state?: undefined }
    | { type: "pong"; state?: undefined }
    | { type: "presence"; connected: Api.ConnectedData; state?: undefined }
    | ({ type: "hello"; events: Event[] } & Api.GameView)
    | { type: "events"; now: number; events: Event[]; state: Api.GameState };

  // The page of a game. The state is null until the first message.
  interface Playing {
    state: Api.GameState;
    you: number[];
    values: boolean;
    connected: Api.ConnectedData | null;
    analysis: Api.AnalysisData | null;
    told: number;
  }

  // A game as this browser keeps it. turn: whose it is, in words, while it goes on; result: a sentence, when it is over;
  // won: by the visitor, if that can be said; record: the record file.
  interface Kept {
    id: string;
    title: string;
    opponent: string;
    date: string;
    turn: string;
    result: string;
    won: boolean | null;
    record: string;
  }

  // The analysis page. start and moves: the line that is looked at, empty before one is opened; at: how many of its moves
  // are made; main: the game it came from.
  interface Looking {
    start: string;
    moves: string[];
    boards: Api.BoardData[];
    at: number;
    names: string[];
    kinds: string[];
    outcome: Api.OutcomeData | null;
    main: Looking | null;
    review: Review | null;
    game: string | null;
  }

  // The page of puzzles. posed: the puzzle, null until one has come; line: what is played out; marks: what is known to be
  // wrong, by move; over: no more tries; sending: the answer that is on its way, empty if something else is asked; asked:
  // how many puzzles were asked for, so that only the last one is opened; hints: those that were given; tries: how each
  // went.
  type PlayedOut = Api.PuzzleLine & { shown?: boolean };
  interface Solving {
    posed: Api.PuzzleData;
    line: PlayedOut | null;
    marks: Map<string, Badge>;
    over: boolean;
    sending: string | null;
    asked: number;
    hints: string[];
    tries: boolean[];
  }

  // How well puzzles were solved.
  interface Streak {
    run: number;
    best: number;
  }
  interface Streaks {
    answered: Record<string, boolean>;
    days: Streak & { last: string | null };
    games: Record<string, Streak>;
  }
}
