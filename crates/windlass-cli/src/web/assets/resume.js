// The dialog that continues a loop: asks what is different this time, and says why it could not go on.

import { copy } from "./output.js";
import { fragment, Problem, send } from "./server.js";

/** The options that differ from what the loop has. */
function options(form) {
  const changed = {};
  for (const { name, type, checked, value, defaultValue, dataset } of form.elements) {
    if (!name || (type === "checkbox" && !checked)) continue;
    const was = dataset.was ?? defaultValue?.replace(/\r\n?/g, "\n");
    if (dataset.value !== undefined) changed[name] = JSON.parse(dataset.value);
    else if (value.trim() !== was) changed[name] = value.trim();
  }
  return changed;
}

/** Opens the dialog of a button with `data-continue`; gives whether the loop goes on. */
export async function continueLoop(button) {
  const dialog = document.getElementById("continue");
  dialog.replaceChildren(await fragment(button.dataset.continue));
  const form = dialog.querySelector("form");
  const trouble = dialog.querySelector("#continue-trouble");
  const yes = dialog.querySelector("#continue-yes");
  let goesOn = false;
  dialog.querySelector("#continue-no").addEventListener("click", () => dialog.close());
  form.addEventListener("click", (click) => {
    const button = click.target.closest("[data-copy]");
    if (button) copy(button.dataset.copy, button);
  });
  form.addEventListener("submit", async (submit) => {
    submit.preventDefault();
    trouble.hidden = true;
    yes.disabled = true;
    yes.textContent = "Continuing…";
    try {
      await send(form.dataset.post, { options: options(form) });
      goesOn = true;
      dialog.close();
    } catch (error) {
      trouble.textContent = error instanceof Problem ? error.words : String(error);
      trouble.hidden = false;
      trouble.scrollIntoView({ block: "nearest" });
    } finally {
      yes.disabled = false;
      yes.textContent = "Continue";
    }
  });
  dialog.showModal();
  if (document.activeElement.type === "number") document.activeElement.select();
  await new Promise((done) => dialog.addEventListener("close", done, { once: true }));
  dialog.replaceChildren();
  // The page may have drawn the button again while the dialog was open.
  if (!goesOn) document.getElementById(button.id)?.focus();
  return goesOn;
}
