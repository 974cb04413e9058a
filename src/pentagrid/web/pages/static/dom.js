// Small helpers to make and fill elements. Text only ever goes in as text.

export const NOT_COPIED = "This browser does not let the page copy; the link is the address of this page.";
const SVG = "http://www.w3.org/2000/svg";

/** @type {<K extends string>(id: K) => K extends keyof Page.Elements ? Page.Elements[K] : HTMLElement} */
export const find = (id) => /** @type {any} */ (document.getElementById(id));

find("unscripted")?.remove(); // it says that scripts do not run

/** Elements with listeners of their own. @type {WeakSet<Node>} */
const listening = new WeakSet();

/**
 * @template {Element} E
 * @param {E} element
 * @param {Page.Attributes} attributes
 * @param {Page.Child[]} children
 */
function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      element.addEventListener(name.slice(2), value);
      listening.add(element);
    }
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

/** What tells an element from its like: its key, or what it says if it does something. @param {Node} node */
const keyOf = (node) => /** @type {HTMLElement} */ (node).dataset?.key ?? (listening.has(node) ? node.textContent : "");

/** @param {Node} old @param {Node} fresh */
const alike = (old, fresh) => old.nodeName === fresh.nodeName && keyOf(old) === keyOf(fresh);

/** Makes a node like another one that it is alike to. @param {Node} old @param {Node} fresh */
function become(old, fresh) {
  if (old instanceof Element && fresh instanceof Element) {
    for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
    for (const { name, value } of fresh.attributes) {
      if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    }
    fill(old, ...fresh.childNodes);
  } else if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
}

/**
 * Puts children into an element and changes only what differs from those it has: focus and listeners stay, and nothing
 * that is the same is read out again.
 * @param {Element} host
 * @param {...Page.Child} children
 */
export function fill(host, ...children) {
  const wanted = children.filter((child) => child !== null && child !== undefined);
  wanted.forEach((child, i) => {
    const fresh = typeof child === "string" ? new Text(child) : child;
    const old = host.childNodes[i];
    if (!old) host.append(fresh);
    else if (alike(old, fresh)) become(old, fresh);
    else old.replaceWith(fresh);
  });
  while (host.childNodes.length > wanted.length) host.lastChild?.remove();
}

/** @param {string} text @param {() => unknown} action */
export function button(text, action, kind = "") {
  return html("button", { type: "button", class: `button ${kind}`, onclick: action }, text);
}

/** @param {HTMLElement} element @param {boolean} visible */
export function show(element, visible) {
  element.hidden = !visible;
}

let unsaid = "";

/**
 * Says something to those who listen to the page instead of looking at it; after what is still to be said, or instead.
 * @param {string} text
 */
export function say(text, after = false) {
  find("said").textContent = "";
  const waits = unsaid;
  unsaid = after && waits ? `${waits} ${text}` : text;
  if (waits) return;
  setTimeout(() => {
    find("said").textContent = unsaid;
    unsaid = "";
  }, 30);
}

let refusing = 0;

/** Says why a move was refused, beside the board; the same again is said again. @param {string | null} text */
export function refuse(text) {
  const place = find("typed-problem");
  clearTimeout(refusing);
  place.textContent = "";
  if (text) refusing = setTimeout(() => { place.textContent = text; }, 30);
}

/**
 * Copies a text at the press of a button that says so. Returns whether the browser allowed it.
 * @param {HTMLElement} pressed
 * @param {string} text
 */
export async function copy(pressed, text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    return false;
  }
  pressed.textContent = "Copied";
  say("Copied.");
  return true;
}

/** @param {HTMLElement} element @param {string | null | undefined} message */
export function problem(element, message) {
  element.textContent = message ?? "";
  element.hidden = !message;
}
