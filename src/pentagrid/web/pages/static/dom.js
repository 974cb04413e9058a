// Small helpers to make and fill elements. Text only ever goes in as text.

export const NOT_COPIED = "This browser does not let the page copy; the link is the address of this page.";
const SVG = "http://www.w3.org/2000/svg";

/** @type {<K extends string>(id: K) => K extends keyof Page.Elements ? Page.Elements[K] : HTMLElement} */
export const find = (id) => /** @type {any} */ (document.getElementById(id));

find("unscripted")?.remove(); // it says that scripts do not run

/**
 * @template {Element} E
 * @param {E} element
 * @param {Page.Attributes} attributes
 * @param {Page.Child[]} children
 */
function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Page.Attributes} attributes
 * @param {...Page.Child} children
 */
export const html = (name, attributes = {}, ...children) =>
  filled(document.createElement(name), attributes, children);

/**
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} name
 * @param {Page.Attributes} attributes
 * @param {...Page.Child} children
 */
export const svg = (name, attributes = {}, ...children) =>
  filled(document.createElementNS(SVG, name), attributes, children);

/** @param {HTMLElement} element @param {boolean} visible */
export function show(element, visible) {
  element.hidden = !visible;
}

/** Says something to those who listen to the page instead of looking at it. @param {string} text */
export function say(text) {
  const place = find("said");
  place.textContent = "";
  setTimeout(() => { place.textContent = text; }, 30);
}

/** Says why a move was refused, below the board; the same again is said again. @param {string | null} text */
export function refuse(text) {
  const place = find("typed-problem");
  place.textContent = "";
  if (text) setTimeout(() => { place.textContent = text; }, 30);
}

/**
 * Copies a text at the press of a button that says so. Returns whether the browser allowed it.
 * @param {HTMLElement} button
 * @param {string} text
 */
export async function copy(button, text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    return false;
  }
  button.textContent = "Copied";
  say("Copied.");
  return true;
}

/** @param {HTMLElement} element @param {string | null | undefined} message */
export function problem(element, message) {
  element.textContent = message ?? "";
  element.hidden = !message;
}
