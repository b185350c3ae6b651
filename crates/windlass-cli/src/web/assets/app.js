// The dashboard: takes the token, finds the page that the address names, and keeps it alive.

import { noTrouble, trouble } from "./ask.js";
import { LoopPage } from "./loop.js";
import { dropToken, fragment, hasToken, keepToken, takeToken } from "./server.js";
import { start } from "./start.js";
import { theme } from "./theme.js";

const main = document.getElementById("main");
const AGAIN = 3000;

let leave = () => {};
let visit = 0;
let path = location.pathname;

/** What the address asks for. */
function asked() {
  const loop = /^\/loops\/([^/]+)$/.exec(location.pathname);
  if (loop) return { path: `/ui/loops/${loop[1]}`, nav: "loops", open: openLoop };
  if (location.hash === "#start") return { path: "/ui/start", nav: "start", open: openStart };
  return { path: "/ui/loops", nav: "loops", open: openList };
}

async function show() {
  leave();
  leave = () => {};
  noTrouble();
  link("over");
  const mine = ++visit;
  if (!hasToken()) return gate();
  const { path, nav, open } = asked();
  document.querySelectorAll("[data-nav]").forEach((one) => {
    if (one.dataset.nav === nav) one.setAttribute("aria-current", "page");
    else one.removeAttribute("aria-current");
  });
  try {
    const page = await fragment(path);
    if (mine !== visit) return;
    main.replaceChildren(page);
    const shown = main.firstElementChild;
    if (shown.dataset.title) title(shown.dataset.title);
    leave = open(shown) ?? leave;
  } catch (error) {
    if (mine !== visit) return;
    if (error.status === 401) return gate("This token is not valid: `windlass serve` prints a new URL at each start.");
    main.replaceChildren();
    trouble(error);
  }
}

/** Says how to get in. */
function gate(why) {
  dropToken();
  title("Open the dashboard");
  main.replaceChildren(document.getElementById("gate").content.cloneNode(true));
  if (why) trouble(why);
  main.querySelector("form").addEventListener("submit", (submit) => {
    submit.preventDefault();
    keepToken(main.querySelector("#token").value);
    show();
  });
}

function title(words) {
  document.title = `${words} – windlass`;
}

/** Says whether news come in. */
function link(state) {
  const shown = document.getElementById("link");
  shown.hidden = state === "over";
  shown.className = `link-state ${state}`;
  shown.textContent = state === "live" ? "● live" : "reconnecting…";
}

function openLoop(page) {
  const open = new LoopPage(page, { title, link });
  const moved = () => open.openDiff();
  addEventListener("hashchange", moved);
  return () => {
    removeEventListener("hashchange", moved);
    open.close();
  };
}

function openStart(page) {
  const form = page.querySelector("form");
  if (form) start(form, (id) => go(`/loops/${encodeURIComponent(id)}`));
}

function openList(page) {
  const filter = page.querySelector("#filter");
  const sift = () => {
    const words = (filter?.value ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    let left = 0;
    page.querySelectorAll("#loops > tr").forEach((row) => {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      left += row.hidden ? 0 : 1;
    });
    const none = page.querySelector("#filter-none");
    if (none) none.hidden = left > 0;
  };
  filter?.addEventListener("input", sift);
  const timer = setInterval(async () => {
    if (document.hidden) return;
    const fresh = await fragment("/ui/loops").catch(() => null);
    const [rows, now] = [fresh?.querySelector("#loops"), page.querySelector("#loops")];
    if (!fresh) return;
    if (!rows || !now) return rows && show();
    const focused = now.contains(document.activeElement) && document.activeElement.getAttribute("href");
    now.replaceChildren(...rows.children);
    page.querySelector(".title-row").replaceWith(fresh.querySelector(".title-row"));
    sift();
    if (focused) [...now.querySelectorAll("a")].find((one) => one.getAttribute("href") === focused)?.focus();
  }, AGAIN);
  return () => clearInterval(timer);
}

function go(address) {
  history.pushState(null, "", address);
  path = location.pathname;
  show();
  scrollTo(0, 0);
}

document.addEventListener("click", (click) => {
  const to = click.target.closest("a[href^='/']");
  const plain = !click.defaultPrevented && click.button === 0;
  if (!to || !plain || click.metaKey || click.ctrlKey || click.shiftKey || click.altKey) return;
  click.preventDefault();
  go(to.getAttribute("href"));
  main.focus({ preventScroll: true });
});
document.getElementById("trouble-close").addEventListener("click", noTrouble);
// Going back and forth inside of a loop's page is about its diff, which it looks after itself.
addEventListener("popstate", () => {
  const same = path === location.pathname && path.startsWith("/loops/");
  path = location.pathname;
  if (!same) show();
});

takeToken();
theme(document.getElementById("theme"));
addEventListener("hashchange", () => {
  if (location.hash.includes("token=")) {
    takeToken();
    show();
  }
});
show();
