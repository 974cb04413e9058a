// Asking the server: JSON in, JSON out; a problem is thrown with its stable code.

export class Problem extends Error {
  /** @param {string} code @param {string} message @param {number} status */
  constructor(code, message, status) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

const OFFLINE = "The server cannot be reached; trying again may help.";
const NDJSON = "application/x-ndjson";

/** The response, if all is well. @param {string} path @param {RequestInit} options */
async function send(path, options) {
  let response;
  try {
    response = await fetch(path, { credentials: "same-origin", ...options });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new Problem("offline", OFFLINE, 0);
  }
  if (response.ok) return response;
  const body = await response.json().catch(() => ({}));
  throw new Problem(body.code ?? "error", body.message ?? `The server answered ${response.status}.`, response.status);
}

/** @param {string} path @param {RequestInit} options */
const ask = async (path, options) => (await send(path, options)).json().catch(() => ({}));

/** @type {(path: string, signal?: AbortSignal) => Promise<any>} */
export const get = (path, signal = undefined) => ask(path, { signal });

/** @param {object} data @returns {RequestInit} */
const posted = (data) => ({ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(data) });

/** @type {(path: string, data?: object, signal?: AbortSignal) => Promise<any>} */
export const post = (path, data = {}, signal = undefined) => ask(path, { ...posted(data), signal });

/**
 * An answer that comes as lines of JSON: `onLines` gets those that have come since the last time.
 * @param {string} path
 * @param {object} data
 * @param {(lines: any[]) => void} onLines
 * @param {AbortSignal} signal
 */
export async function postForLines(path, data, onLines, signal) {
  const options = posted(data);
  const response = await send(path, { ...options, headers: { ...options.headers, accept: NDJSON }, signal });
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read().catch((error) => {
      throw signal.aborted ? error : new Problem("offline", OFFLINE, 0);
    });
    const lines = (rest + decoder.decode(value, { stream: !done })).split("\n");
    rest = lines.pop() ?? "";
    if (lines.length) onLines(lines.map((line) => JSON.parse(line)));
    if (done) return;
  }
}
