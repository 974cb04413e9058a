// What happens in a game, as it happens: a WebSocket that comes back by itself and goes on where it was.

const LONGEST_PAUSE = 8000;
const BEAT = 10_000; // between two questions whether the server still hears this page
const PATIENCE = 5000; // for its answer: a network that stalls closes nothing

export class Feed {
  /** @type {WebSocket} */
  socket;
  /** When to give the connection up. */
  patience = 0;
  /** When to connect again; 0 while there is no need to. */
  timer = 0;

  /**
   * @param {string} game
   * @param {(message: Page.Message) => unknown} onMessage
   * @param {(connected: boolean) => unknown} onConnection
   */
  constructor(game, onMessage, onConnection) {
    this.game = game;
    this.onMessage = onMessage;
    this.onConnection = onConnection;
    this.since = 0;
    this.pause = 250;
    this.connect();
    setInterval(() => this.beat(), BEAT);
    addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.hurry(); });
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.timer = 0;
    this.socket = new WebSocket(`${scheme}//${location.host}/api/games/${this.game}/events?since=${this.since}`);
    this.expect();
    this.socket.onmessage = ({ data }) => {
      clearTimeout(this.patience);
      /** @type {Page.Message} */
      const message = JSON.parse(data);
      if (message.state) {
        if (message.state.revision < this.since) return;
        this.since = message.state.revision;
      }
      this.pause = 250;
      this.onConnection(true);
      if (message.type !== "pong") this.onMessage(message);
    };
    this.socket.onclose = ({ code }) => {
      if (code === 1008) this.drop();
      else this.comeBack();
    };
  }

  // Something must come now.
  expect() {
    clearTimeout(this.patience);
    this.patience = setTimeout(() => this.comeBack(), PATIENCE);
  }

  beat() {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    this.socket.send("ping");
    this.expect();
  }

  // The connection is lost, or as good as.
  comeBack() {
    this.drop();
    this.onConnection(false);
    this.timer = setTimeout(() => this.connect(), this.pause * (0.75 + Math.random() / 2));
    this.pause = Math.min(this.pause * 2, LONGEST_PAUSE);
  }

  drop() {
    clearTimeout(this.patience);
    clearTimeout(this.timer);
    this.socket.onclose = this.socket.onmessage = null;
    this.socket.close();
  }

  // Do not wait any longer if there is no connection; else ask whether there still is one.
  hurry() {
    if (!this.timer) {
      this.beat();
      return;
    }
    clearTimeout(this.timer);
    this.pause = 250;
    this.connect();
  }

  // Ask for everything anew, as another visitor: after sitting down.
  again() {
    this.since = 0;
    this.drop();
    this.connect();
  }
}
