// Light or dark: as the system says, until somebody says otherwise in this tab.

const KEY = "windlass-theme";

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function name(button) {
  button.textContent = isDark() ? "Light" : "Dark";
  button.setAttribute("aria-label", isDark() ? "Use light colours" : "Use dark colours");
}

export function theme(button) {
  const kept = sessionStorage.getItem(KEY);
  if (kept === "light" || kept === "dark") document.documentElement.dataset.theme = kept;
  name(button);
  button.addEventListener("click", () => {
    const chosen = isDark() ? "light" : "dark";
    document.documentElement.dataset.theme = chosen;
    sessionStorage.setItem(KEY, chosen);
    name(button);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => name(button));
}
