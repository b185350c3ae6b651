// Asks before something is done, does it, and says what could not be done.

import { Problem, send } from "./server.js";

const byId = (id) => document.getElementById(id);

/** Shows a problem until it is dismissed. */
export function trouble(error) {
  if (error.name === "AbortError") return;
  byId("trouble-text").textContent = error instanceof Problem ? error.words : String(error);
  byId("trouble").hidden = false;
}

export function noTrouble() {
  byId("trouble").hidden = true;
}

/** Puts the question of a button; gives whether it was answered with yes. */
function answered(button) {
  const { question, explanation, yes, no } = button.dataset;
  const dialog = byId("question");
  byId("question-title").textContent = question;
  byId("question-text").textContent = explanation;
  byId("question-yes").textContent = yes;
  byId("question-no").textContent = no;
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((done) => {
    dialog.addEventListener("close", () => done(dialog.returnValue === "yes"), { once: true });
  });
}

/** Does what a button with `data-post` is for; gives whether it was done. */
export async function act(button) {
  if (!(await answered(button))) return false;
  const body = JSON.parse(button.dataset.body);
  button.disabled = true;
  noTrouble();
  try {
    await send(button.dataset.post, body);
    return true;
  } catch (error) {
    trouble(error);
    return false;
  } finally {
    button.disabled = false;
  }
}
