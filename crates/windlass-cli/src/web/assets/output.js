// The output of a loop: lines as text, the newest at the foot, a bounded number of them.

import { ask } from "./server.js";

/** How many lines are kept on the page; earlier ones can be loaded again. */
const MOST = 4000;

export class Output {
  constructor(id, page) {
    this.path = `/ui/loops/${encodeURIComponent(id)}/lines`;
    this.box = page.querySelector("#output");
    this.none = page.querySelector("#output-none");
    this.earlier = page.querySelector("#earlier");
    this.follow = page.querySelector("#follow");
    this.first = 1;
    this.last = 0;
    this.busy = false;
    this.again = false;
    this.earlier.addEventListener("click", () => this.loadEarlier());
    this.box.addEventListener("scroll", () => this.scrolled(), { passive: true });
    this.follow.addEventListener("change", () => this.follow.checked && this.toEnd());
    page.querySelector("#copy-output").addEventListener("click", (click) => {
      copy(this.text(), click.currentTarget);
    });
  }

  async start() {
    const part = await this.fetch("");
    this.first = part.first;
    this.last = part.last;
    this.append(part.lines);
    this.showEarlier();
  }

  /** Asks for what came since; once more where something came meanwhile. */
  async news() {
    if (this.busy) {
      this.again = true;
      return;
    }
    this.busy = true;
    try {
      do {
        this.again = false;
        const part = await this.fetch(`?after=${this.last}`);
        if (part.last > this.last) {
          this.last = part.last;
          this.append(part.lines);
          this.again ||= part.more && part.lines.length > 0;
        }
      } while (this.again);
    } finally {
      this.busy = false;
    }
  }

  async loadEarlier() {
    const part = await this.fetch(`?before=${this.first}`);
    const height = this.box.scrollHeight;
    this.follow.checked = false;
    this.box.prepend(drawn(part.lines));
    this.first = part.first || 1;
    this.box.scrollTop += this.box.scrollHeight - height;
    this.showEarlier();
  }

  async fetch(query) {
    return (await ask(this.path + query)).json();
  }

  append(lines) {
    if (lines.length === 0) return;
    this.none.hidden = true;
    this.box.append(drawn(lines));
    while (this.follow.checked && this.box.childElementCount > MOST) {
      this.box.firstElementChild.remove();
      this.first = Number(this.box.firstElementChild.dataset.seq);
    }
    this.showEarlier();
    if (this.follow.checked) this.toEnd();
  }

  showEarlier() {
    this.earlier.hidden = this.first <= 1;
  }

  toEnd() {
    this.box.scrollTop = this.box.scrollHeight;
  }

  /** Who scrolls up wants to read; who scrolls to the end wants to follow. */
  scrolled() {
    const atEnd = this.box.scrollHeight - this.box.scrollTop - this.box.clientHeight < 24;
    if (atEnd !== this.follow.checked) this.follow.checked = atEnd;
  }

  text() {
    return [...this.box.children].map((line) => line.textContent).join("\n");
  }
}

function drawn(lines) {
  const all = document.createDocumentFragment();
  for (const { seq, kind, text } of lines) {
    const line = document.createElement("div");
    line.className = `line ${kind}`;
    line.dataset.seq = seq;
    line.textContent = text;
    all.append(line);
  }
  return all;
}

/** Copies a text, and says so on the button. */
export async function copy(text, button) {
  const before = button.dataset.label ?? button.textContent;
  button.dataset.label = before;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Not copied";
  }
  setTimeout(() => (button.textContent = before), 1500);
}
