// Asking the server: JSON in, JSON out; a problem is thrown with its stable code.

export class Problem extends Error {
  /** @param {string} code @param {string} message @param {number} status */
  constructor(code, message, status) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** @param {string} path @param {RequestInit} options */
async function ask(path, options) {
  let response;
  try {
    response = await fetch(path, { credentials: "same-origin", ...options });
  } catch {
    throw new Problem("offline", "The server cannot be reached; trying again may help.", 0);
  }
  const body = await response.json().catch(() => ({}));
  if (!response.ok) {
    throw new Problem(body.code ?? "error", body.message ?? `The server answered ${response.status}.`, response
      .status);
  }
  return body;
}

/** @type {(path: string) => Promise<any>} */
export const get = (path) => ask(path, {});

/** @type {(path: string, data?: object) => Promise<any>} */
export const post = (path, data = {}) =>
  ask(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(data) });
