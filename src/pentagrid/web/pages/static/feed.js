// What happens in a game, as it happens: a WebSocket that comes back by itself and goes on where it was.

const LONGEST_PAUSE = 8000;

export class Feed {
  /** @type {WebSocket} */
  socket;

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
    this.timer = 0;
    this.connect();
    addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.hurry(); });
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.socket = new WebSocket(`${scheme}//${location.host}/api/games/${this.game}/events?since=${this.since}`);
    this.socket.onmessage = ({ data }) => {
      /** @type {Page.Message} */
      const message = JSON.parse(data);
      if (message.state) {
        if (message.state.revision < this.since) return;
        this.since = message.state.revision;
      }
      this.pause = 250;
      this.onConnection(true);
      this.onMessage(message);
    };
    this.socket.onclose = ({ code }) => {
      if (code === 1008) return;
      this.onConnection(false);
      this.timer = setTimeout(() => this.connect(), this.pause * (0.75 + Math.random() / 2));
      this.pause = Math.min(this.pause * 2, LONGEST_PAUSE);
    };
  }

  // Do not wait any longer if there is no connection.
  hurry() {
    if (this.socket.readyState === WebSocket.CLOSED) {
      clearTimeout(this.timer);
      this.pause = 250;
      this.connect();
    }
  }

  // Ask for everything anew, as another visitor: after sitting down.
  again() {
    this.since = 0;
    this.socket.onclose = null;
    this.socket.close();
    this.connect();
  }
}
