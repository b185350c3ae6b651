// Follows the events of a loop: server-sent events over fetch, for only fetch can send the token.

import { ask, Problem } from "./server.js";

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 15000;
/** Without a byte for so long, the connection is taken for dead: the server sends comments. */
const SILENCE = 60000;

/** Calls `heard(id, type, data)` for each event after number `last`, until `stop()`. */
export class Live {
  constructor(path, last, { heard, state, over }) {
    this.path = path;
    this.last = last;
    this.heard = heard;
    this.state = state;
    this.over = over;
    this.isOpen = false;
    this.stopped = new AbortController();
    this.run();
  }

  stop() {
    this.stopped.abort();
  }

  async run() {
    let pause = FIRST_PAUSE;
    while (!this.stopped.signal.aborted) {
      try {
        await this.read(() => {
          pause = FIRST_PAUSE;
          this.state("live");
        });
        // The server ends the stream of a loop that is over.
        if (await this.over()) return this.state("over");
      } catch (error) {
        if (this.stopped.signal.aborted) return;
        if (error instanceof Problem && [401, 403, 404].includes(error.status)) {
          return this.state("over", error);
        }
      }
      if (this.stopped.signal.aborted) return;
      this.state("reconnecting");
      await this.sleep(pause * (0.75 + Math.random() / 2));
      pause = Math.min(pause * 2, LONGEST_PAUSE);
    }
  }

  sleep(ms) {
    return new Promise((done) => {
      const timer = setTimeout(done, ms);
      this.stopped.signal.addEventListener("abort", () => {
        clearTimeout(timer);
        done();
      });
    });
  }

  async read(began) {
    const silent = new AbortController();
    const signal = AbortSignal.any([this.stopped.signal, silent.signal]);
    const headers = { Accept: "text/event-stream", "Last-Event-ID": String(this.last) };
    const answer = await ask(this.path, { headers, signal });
    this.isOpen = true;
    began();
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    const parser = new Parser((event) => this.take(event));
    let timer = setTimeout(() => silent.abort(), SILENCE);
    try {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return;
        clearTimeout(timer);
        timer = setTimeout(() => silent.abort(), SILENCE);
        parser.push(value);
      }
    } finally {
      this.isOpen = false;
      clearTimeout(timer);
    }
  }

  take({ id, type, data }) {
    const number = Number(id);
    if (Number.isFinite(number)) {
      // After a cut, what is known already may come once more.
      if (number <= this.last) return;
      this.last = number;
    }
    this.heard(number, type, data);
  }
}

/** Reads a stream of events, however it is cut into pieces. */
export class Parser {
  constructor(take) {
    this.take = take;
    this.rest = "";
    this.clear();
  }

  clear() {
    this.event = { id: "", type: "message", data: [] };
  }

  push(text) {
    this.rest += text;
    const lines = this.rest.split(/\r\n|\n|\r(?!$)/);
    this.rest = lines.pop();
    lines.forEach((line) => this.line(line));
  }

  line(line) {
    if (line === "") {
      if (this.event.data.length > 0) this.take({ ...this.event, data: this.event.data.join("\n") });
      return this.clear();
    }
    if (line.startsWith(":")) return;
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") this.event.data.push(value);
    if (name === "event") this.event.type = value;
    if (name === "id") this.event.id = value;
  }
}
