// Speaks with the server: the token goes into a header, and nowhere else.

const KEY = "windlass-token";

/** Why a request was not done, in the server's words. */
export class Problem extends Error {
  constructor(status, message, hint) {
    super(message);
    this.status = status;
    this.hint = hint;
  }

  get words() {
    return this.hint ? `${this.message}\n${this.hint}` : this.message;
  }
}

/** What a repository has agents run or obey, and nobody has trusted. */
function untrusted(status, { entries, command }) {
  const lines = entries.map(({ agent, file, kind, command }) => {
    const what = kind === "unreadable" ? "cannot be read" : kind.replace("_", " ").replace("mcp", "MCP");
    return `${agent}: ${file}: ${what}: ${command}`;
  });
  const message = "This repository has untrusted settings for agents:";
  const hint = `They can run commands as you. Read them, run this in a terminal, and try again:\n${command}`;
  return new Problem(status, [message, ...lines].join("\n"), hint);
}

/** The token in a text: an address with `#token=…`, or the token itself. */
function tokenIn(text) {
  const found = /(?:^|[#&])token=([^&\s]+)/.exec(text);
  return found ? found[1] : text.trim();
}

/** Takes the token out of the address at once, so that it is never copied, sent or looked at. */
export function takeToken() {
  if (location.hash.includes("token=")) {
    keepToken(location.hash);
    history.replaceState(null, "", location.pathname);
  }
}

export function keepToken(text) {
  sessionStorage.setItem(KEY, tokenIn(text));
}

export function dropToken() {
  sessionStorage.removeItem(KEY);
}

export function hasToken() {
  return Boolean(sessionStorage.getItem(KEY));
}

/** One request with the token; gives the response, or throws a Problem. */
export async function ask(path, { method = "GET", body, headers = {}, signal } = {}) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      body,
      signal,
      headers: { ...headers, Authorization: `Bearer ${sessionStorage.getItem(KEY) ?? ""}` },
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
      referrerPolicy: "no-referrer",
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(0, "The server cannot be reached.", "Is `windlass serve` still running?");
  }
  if (answer.ok) return answer;
  const told = await answer.json().catch(() => ({}));
  if (told.error === "untrusted") throw untrusted(answer.status, told);
  const message = told.error?.message ?? `The server answered ${answer.status}.`;
  throw new Problem(answer.status, message, told.error?.hint);
}

/** Sends JSON. */
export async function send(path, value) {
  const headers = { "Content-Type": "application/json" };
  const answer = await ask(path, { method: "POST", body: JSON.stringify(value), headers });
  const text = await answer.text();
  return text ? JSON.parse(text) : {};
}

/** Asks for a fragment of a page. The server has escaped all that is not its own. */
export async function fragment(path, signal) {
  const answer = await ask(path, { signal });
  const template = document.createElement("template");
  template.innerHTML = await answer.text();
  return template.content;
}
