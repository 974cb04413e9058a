// What the scripts of the pages share among themselves. What comes from the server is in api.d.ts.

declare namespace Page {
  // Elements by their id; every other one is a plain HTMLElement.
  interface Elements {
    another: HTMLFormElement;
    back: HTMLButtonElement;
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
    text: HTMLTextAreaElement;
    typed: HTMLFormElement;
  }

  type Attributes = Record<string, string | number | boolean | null | undefined | ((event: any) => unknown)>;
  type Child = Node | string | null | undefined;

  // A move and what it touches.
  type Touching = Pick<Api.Move, "touch">;
  type LineStep = Pick<Api.LineMove, "player" | "touch">;

  // Anything on a board that can be chosen: a cell or the handle of a line.
  interface Spot {
    key: string;
    kind: "cell" | "line";
    label: string;
    owner: number;
    available: boolean;
    move?: string | null;
    row: number;
    column: number;
    x: number;
    y: number;
  }
  type Path = Api.Move & { path: string[] };

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
    idle?: string;
  }

  interface Choosing {
    onMove: (move: string) => unknown;
    onRefused: (move: string) => unknown;
    onHover?: (move: string | null) => unknown;
    onSay?: (text: string) => unknown;
  }

  interface Players {
    board: Api.Board;
    seats: (Pick<Api.Seat, "name" | "kind"> & Partial<Api.Seat>)[];
    turn: number | null;
    connected?: Api.Connected | null;
    you?: number[];
    winner?: number | null;
    clock?: Element | null;
  }

  // A review as it is told: with the names, and after how many moves it stands.
  type Told = Api.Review & { names: string[]; at: number };
  type Go = (number: number, move: string | null) => unknown;
  type Hover = (number: number | null, move: string | null) => void;

  // What comes over the WebSocket.
  interface Event {
    revision: number;
    said: string;
  }
  type Message =
    | { type: "problem"; code: string; message: string; state?: undefined }
    | { type: "presence"; connected: Api.Connected; state?: undefined }
    | ({ type: "hello"; events: Event[] } & Api.View)
    | { type: "events"; now: number; events: Event[]; state: Api.State };

  // The page of a game. The state is null until the first message.
  interface Playing {
    state: Api.State;
    you: number[];
    values: boolean;
    connected: Api.Connected | null;
    sentAt: number | null;
    analysis: Api.Analysis | null;
    told: number;
  }

  // The analysis page. start and moves: the line that is looked at, empty before one is opened; at: how many of its moves
  // are made; main: the game it came from.
  interface Looking {
    start: string;
    moves: string[];
    boards: Api.Board[];
    at: number;
    names: string[];
    kinds: string[];
    outcome: Api.Outcome | null;
    main: Looking | null;
    review: (Api.Review & { line: string }) | null;
    game: string | null;
  }

  // The page of puzzles. posed: the puzzle, null until one has come; line: what is played out; marks: what is known to be
  // wrong, by move; over: no more tries; asked: how many puzzles were asked for, so that only the last one is opened;
  // hints: those that were given.
  type PlayedOut = Api.PuzzleLine & { shown?: boolean };
  interface Solving {
    posed: Api.Puzzle;
    line: PlayedOut | null;
    marks: Map<string, Badge>;
    over: boolean;
    sending: boolean;
    asked: number;
    hints: string[];
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
