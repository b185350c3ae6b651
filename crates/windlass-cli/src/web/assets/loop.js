// The page of one loop, kept up to date: the head is requested again, the output only grows.

import { act, noTrouble, trouble } from "./ask.js";
import { Live } from "./live.js";
import { copy, Output } from "./output.js";
import { continueLoop } from "./resume.js";
import { fragment } from "./server.js";

/** So long after news the head is asked for, so that a flood of events is one request. */
const PAUSE = 250;
/** How often a loop that is over is looked at: somebody may resume it. */
const CALM = 5000;
/** So long after a request that did not reach the server it is made again. */
const AGAIN = 2000;

const OF_TIMELINE = ["iteration_started", "iteration_finished", "claim_accepted", "claim_rejected"];
const OF_DIFF = ["iteration_finished", "loop_finished", "loop_resumed"];
const OF_FINDINGS = ["findings_seen", "fix_tried", "audit_logged"];

export class LoopPage {
  constructor(page, { title, link }) {
    this.page = page;
    this.id = page.dataset.id;
    this.ui = `/ui/loops/${encodeURIComponent(this.id)}`;
    this.title = title;
    this.link = link;
    this.wanted = new Set();
    this.output = new Output(this.id, page);
    page.addEventListener("click", (click) => this.clicked(click));
    this.told();
    this.output.start().then(() => this.listen(), trouble);
    this.openDiff();
  }

  close() {
    this.closed = true;
    this.live?.stop();
    clearTimeout(this.timer);
    clearTimeout(this.calm);
    clearTimeout(this.again);
    this.link("over");
  }

  listen() {
    if (this.closed) return;
    this.live = new Live(`/api/v1/loops/${encodeURIComponent(this.id)}/events`, this.output.last, {
      heard: (id, type) => this.heard(type),
      over: async () => {
        await this.refresh(["head"]);
        return this.isOver();
      },
      state: (state, error) => {
        this.link(state);
        if (error) trouble(error);
        // What was asked for in vain while the connection was cut is asked for again.
        if (state === "live") this.catchUp();
        if (state === "over" && !error) this.watchCalmly();
      },
    });
  }

  /** While the server cannot be reached the page says so, and tries again by itself. */
  missed(error) {
    if (error.status !== 0) return trouble(error);
    this.link("reconnecting");
    clearTimeout(this.again);
    this.again = setTimeout(() => this.closed || this.catchUp(), AGAIN);
  }

  catchUp() {
    const caughtUp = () => this.live?.isOpen && this.link("live");
    this.output.news().then(caughtUp, (error) => this.missed(error));
    ["head", "iterations", "findings"].forEach((part) => this.want(part, PAUSE));
    this.wantDiff();
  }

  heard(type) {
    this.output.news().catch((error) => this.missed(error));
    if (type === "agent_said" || type === "ticked") return this.want("head", 1500);
    this.want("head", PAUSE);
    if (OF_TIMELINE.includes(type) || type === "step_finished") this.want("iterations", PAUSE);
    if (OF_FINDINGS.includes(type)) this.want("findings", PAUSE);
    if (OF_DIFF.includes(type)) this.wantDiff();
  }

  /** What the whole loop changed grows with each iteration: where it is open, it is asked for again. */
  wantDiff() {
    if (location.hash === "#diff-all") this.want("diff/all", PAUSE);
  }

  want(part, pause) {
    this.wanted.add(part);
    this.timer ??= setTimeout(async () => {
      const parts = [...this.wanted];
      this.wanted.clear();
      await this.refresh(parts).catch((error) => this.missed(error));
      this.timer = undefined;
      if (this.wanted.size > 0) this.want([...this.wanted][0], PAUSE);
    }, pause);
  }

  async refresh(parts) {
    const all = await Promise.all(parts.map((part) => fragment(`${this.ui}/${part}`)));
    if (this.closed) return;
    all.forEach((regions) => this.put(regions));
    this.told();
  }

  /** Puts regions in place of those of the same id; what was opened or closed stays so. */
  put(regions) {
    for (const region of regions.querySelectorAll("[data-region]")) {
      const before = document.getElementById(region.id);
      if (!before || before.isEqualNode(region)) continue;
      // Who has asked for earlier iterations keeps them.
      if (region.id === "timeline") keepEarlier(before, region);
      const folds = [...before.querySelectorAll("details[id]")].map(({ id, open }) => [id, open]);
      const focused = before.contains(document.activeElement) ? document.activeElement.id : "";
      before.replaceWith(region);
      folds.forEach(([id, open]) => document.getElementById(id)?.toggleAttribute("open", open));
      if (focused) document.getElementById(focused)?.focus();
    }
  }

  told() {
    const head = this.page.querySelector("#head");
    this.title(head.dataset.title);
    const announce = document.getElementById("announce");
    if (announce.textContent !== head.dataset.announce) announce.textContent = head.dataset.announce;
  }

  isOver() {
    return this.page.querySelector("#head").hasAttribute("data-over");
  }

  watchCalmly() {
    this.calm = setTimeout(async () => {
      if (this.closed) return;
      if (!document.hidden) await this.refresh(["head"]).catch(() => {});
      if (this.isOver()) this.watchCalmly();
      else this.listen();
    }, CALM);
  }

  async clicked(click) {
    const button = click.target.closest("[data-post],[data-continue],[data-copy],[data-more],[data-diff],[data-close]");
    if (!button) return;
    const { post, copy: text, more, diff, close } = button.dataset;
    if (text !== undefined) return copy(text, button);
    click.preventDefault();
    if (post) {
      if (await act(button)) await this.acted();
    } else if (button.dataset.continue) {
      const goesOn = await continueLoop(button).catch(trouble);
      if (goesOn) await this.acted();
    } else if (more) {
      button.disabled = true;
      const entries = await fragment(more).catch(trouble);
      if (entries) button.closest("li").replaceWith(entries);
    } else if (diff) {
      history.pushState(null, "", button.getAttribute("href"));
      this.openDiff();
    } else if (close) {
      history.pushState(null, "", location.pathname);
      this.openDiff();
    }
  }

  /** After a button: what it did is seen at once, and heard of from now on. */
  async acted() {
    noTrouble();
    clearTimeout(this.calm);
    await this.refresh(["head", "iterations"]).catch(trouble);
    await this.output.news().catch(trouble);
    this.live?.stop();
    this.listen();
  }

  /** Shows the diff that the address names, or none. */
  async openDiff() {
    const place = this.page.querySelector("#diff-place");
    const named = /^#diff-(\d+|all)$/.exec(location.hash);
    if (!named) return place.replaceChildren();
    try {
      place.replaceChildren(await fragment(`${this.ui}/diff/${named[1]}`));
      place.querySelector("#diff").focus({ preventScroll: true });
      place.scrollIntoView({ block: "start" });
    } catch (error) {
      trouble(error);
    }
  }
}

/** Takes the iterations that only the old timeline has over into the new one. */
function keepEarlier(before, after) {
  const list = after.querySelector("#timeline-list");
  const known = new Set([...list.children].map((one) => one.id));
  const oldest = [...list.querySelectorAll("li[id]")].at(-1);
  const old = [...before.querySelectorAll("#timeline-list > li")];
  const place = old.findIndex((one) => one.id === oldest?.id);
  if (place < 0 || old.slice(place + 1).every((one) => !one.id)) return;
  list.querySelector("li.more")?.remove();
  list.append(...old.slice(place + 1).filter((one) => !known.has(one.id) || !one.id));
}
