import { effect, signal } from "@preact/signals";

const KEPT_AS = "cairn-theme";
const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const kept = THEMES.find((one) => one === localStorage.getItem(KEPT_AS));

/** Light, dark, or as the system has it. */
export const theme = signal<Theme>(kept ?? "system");

effect(() => {
  const chosen = theme.value;
  if (chosen === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
  localStorage.setItem(KEPT_AS, chosen);
});

/** The next of the three. */
export function turnTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? "system";
}
