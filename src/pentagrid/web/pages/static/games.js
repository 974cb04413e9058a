// My games: those that were played in this browser, running and finished; as one file out of it and into it.

import { fill, find, html, say, show } from "./dom.js";
import { keepRecord } from "./keeping.js";
import { learnNews } from "./news.js";
import { notice } from "./notice.js";
import { exported, imported, playersOf, recent } from "./recent.js";

/** @param {string} date */
const shortDate = (date) => (date ? new Date(date).toLocaleDateString(undefined, { dateStyle: "medium" }) : "");

/** @param {Page.Kept} game */
const resultOf = ({ won, result }) => {
  const words = result.replace("The game is over: ", "");
  return won === null ? words : html("span", {}, html("strong", {}, won ? "Won" : "Lost"), ` · ${words}`);
};

function draw() {
  const games = recent();
  const running = games.filter((game) => !game.result),
    finished = games.filter((game) => game.result);
  show(find("running"), running.length > 0);
  show(find("finished"), finished.length > 0);
  show(find("none"), !games.length);
  const list = /** @type {HTMLElement} */ (find("running").querySelector("ul"));
  fill(list, ...running.map((game) => html("li", {},
    html("a", { href: `/play/${game.id}` }, game.title || "A game"), playersOf(game), game.turn ? ` · ${game.turn}` : "")));
  const rows = /** @type {HTMLElement} */ (find("finished").querySelector("tbody"));
  fill(rows, ...finished.map((game) => html("tr", {},
    html("td", {}, shortDate(game.date)), html("th", { scope: "row" }, game.title),
    html("td", { class: "against" }, game.opponent), html("td", {}, resultOf(game)),
    html("td", {}, html("a", { class: "button", href: `/analyze?${game.record ? "kept" : "game"}=${game.id}` }, "Review",
      html("span", { class: "far" }, ` ${game.title}${playersOf(game)}`))))));
}

find("export").addEventListener("click", () => {
  const address = URL.createObjectURL(new Blob([exported()], { type: "application/json" }));
  html("a", { href: address, download: "pentagrid-games.json" }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
});

find("import").addEventListener("change", async () => {
  const [file] = find("import").files ?? [];
  if (!file) return;
  try {
    const number = imported(await file.text());
    notice("import", "");
    say(`${number} games added.`);
  } catch (error) {
    notice("import", error.message);
  }
  find("import").value = "";
  draw();
});

draw();
const unkept = recent().filter((game) => game.result && !game.record);
Promise.all(unkept.map((game) => keepRecord(game.id, `/api/games/${game.id}`))).then(draw);
learnNews(recent().filter((game) => !game.result)).then(draw); // not awaited: the page is drawn once this script has run
