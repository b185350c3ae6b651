// The form that starts a loop.

import { Problem, send } from "./server.js";

/** Flags in the form of lines: `name=value`, or `name` alone. */
function flags(text) {
  const lines = text.split("\n").map((line) => line.trim().replace(/^--/, ""));
  const options = {};
  for (const line of lines.filter(Boolean)) {
    const [, name, value] = /^([^=\s]+)(?:[=\s]\s*(.*))?$/s.exec(line) ?? [null, line, undefined];
    const given = value ?? true;
    options[name] = name in options ? [options[name], given].flat() : given;
  }
  return options;
}

function request(form) {
  const data = new FormData(form);
  const kind = data.get("kind");
  const options = flags(data.get("flags"));
  for (const name of ["prompt", "tasks", "test", "agent", "model", "max-cost", "max-duration", "max-iterations"]) {
    const field = form.elements[name];
    const value = field.value.trim();
    if (value && !field.closest("[hidden]")) options[name] = value;
  }
  const checks = data.get("check").split("\n").map((line) => line.trim()).filter(Boolean);
  if (checks.length > 0) options.check = checks;
  if (kind === "heal") options.loop = form.elements.loop.checked;
  return { kind, directory: data.get("directory"), options };
}

/** Binds the form; `opened(id)` is called with the loop that was started. */
export function start(form, opened) {
  const trouble = form.querySelector("#start-trouble");
  const words = form.querySelector("#start-trouble-text");
  const button = form.querySelector("button[type=submit]");
  const show = () => {
    const kind = new FormData(form).get("kind");
    const limit = form.querySelector("[name=kind]:checked").dataset.maxIterations;
    form.elements["max-iterations"].placeholder = limit ? `default: ${limit}` : "default";
    form.querySelectorAll("[data-for]").forEach((part) => {
      part.hidden = !part.dataset.for.split(" ").includes(kind);
    });
  };
  form.addEventListener("change", show);
  show();
  form.addEventListener("submit", async (submit) => {
    submit.preventDefault();
    trouble.hidden = true;
    button.disabled = true;
    button.textContent = "Starting…";
    try {
      const begun = await send("/api/v1/loops", request(form));
      opened(begun.id);
    } catch (error) {
      words.textContent = error instanceof Problem ? error.words : String(error);
      trouble.hidden = false;
      trouble.scrollIntoView({ block: "nearest" });
    } finally {
      button.disabled = false;
      button.textContent = "Start";
    }
  });
}
