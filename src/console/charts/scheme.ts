import { signal } from "@preact/signals";
import { theme } from "../shell/theme.ts";

const dark = matchMedia("(prefers-color-scheme: dark)");
const isDark = signal(dark.matches);
dark.addEventListener("change", () => {
  isDark.value = dark.matches;
});

/** Changes whenever the colours do: what is drawn on a canvas is drawn anew then. */
export const shownScheme = (): string => `${theme.value} ${isDark.value}`;
