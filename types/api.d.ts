// What the server answers. Made by `make api-types` from its OpenAPI description; do not change it here.

declare namespace Api {
  interface AnalysisData {
    board: BoardData;
    value: ValueData;
    options: OptionData[];
    line: string[];
    exact: boolean;
    bounds: number[] | null;
    sentence: string;
    steps: LineMoveData[];
  }
  interface BoardData {
    game: string;
    size: number;
    rules: Record<string, string>;
    position: string;
    board: number[][] | null;
    claims: number[];
    turn: number | null;
    mover: number;
    ply: number;
    swapped: boolean;
    scores: number[] | null;
    legal: string[];
    outcome: OutcomeData | null;
    title: string;
    options: string[];
    komi: KomiData | null;
    phase: string;
    marks: string[];
    players: string[];
    notation: string;
    edges: EdgesData;
    cells: CellData[][];
    captured: number[];
    removed: number[];
    winning: number[];
    lines: LineData[];
    moves: MoveData[];
  }
  interface BoardsData {
    start: string;
    moves: string[];
    boards: BoardData[];
  }
  interface CellData {
    label: string;
    owner: number;
    available: boolean;
    move: string | null;
  }
  interface ChoiceData {
    number: number;
    player: number;
    move: string;
    before: ValueData;
    after: ValueData;
    regret: number | null;
    win_regret: number | null;
    best: string[];
    real: boolean;
    lost_the_win: boolean;
  }
  interface ConnectedData {
    players: boolean[];
    spectators: number;
  }
  interface CreatedGame {
    id: string;
    play: string;
    watch: string;
    invitation: string | null;
  }
  interface EdgesData {
    rows: string[];
    columns: string[];
  }
  interface GameOffer {
    name: string;
    title: string;
    sizes: number[];
    default_size: number;
    has_numbers: boolean;
    rules: RuleData[];
    notation: string;
  }
  interface GameState {
    id: string;
    revision: number;
    seats: SeatData[];
    start: string;
    moves: string[];
    players: number[];
    last: TouchData | null;
    deed: string;
    board: BoardData;
    outcome: OutcomeData | null;
    sentence: string;
    turn_seconds: number | null;
    deadline: number | null;
    undo_asked: number | null;
    rematch: string | null;
    screen: boolean;
    people: boolean;
    spectator_values: boolean;
  }
  interface GameView {
    now: number;
    you: number[];
    values: boolean;
    connected: ConnectedData;
    state: GameState;
  }
  interface GamesView {
    games: GameView[];
  }
  interface HealthData {
    status: "ok";
    version: string;
    database: string;
  }
  interface JoinedData {
    seat: number;
  }
  interface KomiData {
    seat: number;
    points: number;
  }
  interface LineData {
    label: string;
    owner: number;
    available: boolean;
    cells: number[];
  }
  interface LineMoveData {
    move: string;
    player: number;
    touch: TouchData;
  }
  interface LinkData {
    invitation: string;
  }
  interface MeantData {
    game: string;
    title: string;
    position: string;
  }
  interface MeantPositions {
    positions: MeantData[];
  }
  interface MoveData {
    move: string;
    action: number;
    touch: TouchData;
  }
  interface OpenedData {
    start: string;
    moves: string[];
    boards: BoardData[];
    names: string[];
    kinds: string[];
    outcome: OutcomeData | null;
    date: string;
  }
  interface OptionData {
    winner: number | null;
    margin: number | null;
    plies: number | null;
    move: string;
    action: number;
    best: boolean;
    regret: number | null;
    win_regret: number | null;
    bounds: number[] | null;
    touch: TouchData;
    result: string;
  }
  interface OutcomeData {
    winner: number;
    reason: string;
  }
  interface ProblemData {
    code: string;
    message: string;
  }
  interface PuzzleData {
    query: string;
    daily: string | null;
    difficulty: number;
    kind: "win" | "best";
    question: string;
    board: BoardData;
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
    touch: TouchData;
    said: string;
    board: BoardData;
  }
  interface Receipt {
    revision: number;
  }
  interface RematchData {
    id: string;
    play: string;
  }
  interface ReviewData {
    nodes: AnalysisData[];
    choices: ChoiceData[];
    accuracy: (number | null)[];
    given_away: number[];
  }
  interface RuleData {
    name: string;
    values: string[];
    meaning: string;
  }
  interface SeatData {
    name: string;
    kind: string;
    joined: boolean;
    open: boolean;
  }
  interface TokenData {
    token: string;
  }
  interface TouchData {
    kind: "cell" | "line" | "pair";
    at: number[];
  }
  interface ValueData {
    winner: number | null;
    margin: number | null;
    plies: number | null;
  }
}
