// What the server answers. Made by `make api-types` from its OpenAPI description; do not change it here.

declare namespace Api {
  interface Analysis {
    board: Board;
    value: Value;
    exact: boolean;
    bounds: number[] | null;
    sentence: string;
    options: Option[];
    line: LineMove[];
  }
  interface Board {
    game: string;
    title: string;
    size: number;
    rules: Record<string, string>;
    options: string[];
    text: string;
    turn: number | null;
    mover: number;
    ply: number;
    scores: number[] | null;
    komi: Komi | null;
    outcome: Outcome | null;
    phase: string;
    marks: string[];
    notation: string;
    edges: Edges;
    cells: Cell[][];
    lines: Line[];
    moves: Move[];
  }
  interface Boards {
    start: string;
    moves: string[];
    boards: Board[];
  }
  interface Cell {
    label: string;
    owner: number;
    available: boolean;
    move: string | null;
  }
  interface Choice {
    number: number;
    player: number;
    move: string;
    regret: number | null;
    best: string[];
    real: boolean;
    lost_the_win: boolean;
  }
  interface Connected {
    players: boolean[];
    spectators: number;
  }
  interface Created {
    id: string;
    play: string;
    watch: string;
    invitation: string | null;
  }
  interface Edges {
    rows: string[];
    columns: string[];
  }
  interface Health {
    status: "ok";
    version: string;
    database: string;
  }
  interface Joined {
    seat: number;
  }
  interface Kind {
    name: string;
    title: string;
    sizes: number[];
    default_size: number;
    has_numbers: boolean;
    rules: Rule[];
    notation: string;
  }
  interface Komi {
    seat: number;
    points: number;
  }
  interface Line {
    label: string;
    owner: number;
    available: boolean;
    cells: number[];
  }
  interface LineMove {
    move: string;
    player: number;
    touch: Touch;
  }
  interface Link {
    invitation: string;
  }
  interface Move {
    move: string;
    action: number;
    touch: Touch;
  }
  interface Opened {
    start: string;
    moves: string[];
    boards: Board[];
    names: string[];
    kinds: string[];
    outcome: Outcome | null;
    date: string;
  }
  interface Option {
    winner: number | null;
    margin: number | null;
    plies: number | null;
    move: string;
    action: number;
    best: boolean;
    regret: number | null;
    bounds: number[] | null;
    touch: Touch;
    result: string;
  }
  interface Outcome {
    winner: number;
    reason: string;
  }
  interface Problem {
    code: string;
    message: string;
  }
  interface Puzzle {
    query: string;
    daily: string | null;
    difficulty: number;
    kind: "win" | "best";
    question: string;
    board: Board;
    today: string;
  }
  interface PuzzleHint {
    hint: string;
    tempting: string[];
  }
  interface PuzzleLine {
    right: boolean;
    verdict: string;
    why: string | null;
    steps: PuzzleStep[];
    end: string;
  }
  interface PuzzleNarrowHint {
    hint: string;
  }
  interface PuzzleStep {
    move: string;
    player: number;
    touch: Touch;
    said: string;
    board: Board;
  }
  interface Receipt {
    revision: number;
  }
  interface Rematch {
    id: string;
    play: string;
  }
  interface Review {
    nodes: Analysis[];
    choices: Choice[];
    accuracy: (number | null)[];
    given_away: number[];
  }
  interface Rule {
    name: string;
    values: string[];
    meaning: string;
  }
  interface Seat {
    name: string;
    kind: string;
    joined: boolean;
    open: boolean;
  }
  interface State {
    id: string;
    revision: number;
    seats: Seat[];
    start: string;
    moves: string[];
    players: number[];
    last: Touch | null;
    board: Board;
    outcome: Outcome | null;
    sentence: string;
    turn_seconds: number | null;
    deadline: number | null;
    undo_asked: number | null;
    rematch: string | null;
    screen: boolean;
    people: boolean;
    spectator_values: boolean;
  }
  interface Token {
    token: string;
  }
  interface Touch {
    kind: "cell" | "line" | "pair";
    at: number[];
  }
  interface Value {
    winner: number | null;
    margin: number | null;
    plies: number | null;
  }
  interface View {
    now: number;
    you: number[];
    values: boolean;
    connected: Connected;
    state: State;
  }
}
