import { signal } from "@preact/signals";
import { PAGES } from "./pages.ts";

/** Which window of the keyboard is open. */
export const overlay = signal<"palette" | "help" | null>(null);

/** Closes a window of the keyboard, unless the other one was opened in its place meanwhile. */
export function closeOverlay(which: "palette" | "help"): void {
  if (overlay.value === which) overlay.value = null;
}

/** What each key does, as the help tells it. */
export const SHORTCUTS: readonly (readonly [keys: string, what: string])[] = [
  ["/", "Search"],
  ["j, k", "Next and previous row of a list"],
  ["Enter", "Open the row"],
  ["Esc", "Close what is open"],
  ["Ctrl K", "Go anywhere or do anything by its name"],
  ["?", "This help"],
  ...PAGES.map(({ key, name }) => [`g ${key}`, name] as const),
];

const LEADER_MS = 1_200;

/** The key of a press that an input method takes, for lack of a name. */
const TAKEN = 229;

/** Whether a key goes to an input method: its Enter takes a word, and submits nothing. Safari says so by the number alone. */
export const isComposing = ({ isComposing, keyCode }: KeyboardEvent): boolean => isComposing || keyCode === TAKEN;

/** Whether keys are meant for something else than the page: text that is written, or a window in front of it. */
const isTaken = (event: KeyboardEvent): boolean =>
  isComposing(event) ||
  event.ctrlKey ||
  event.metaKey ||
  event.altKey ||
  isTyping(event.target) ||
  overlay.value !== null ||
  document.querySelector("dialog[open]") !== null;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Moves the focus among the rows of the list on the page. */
function step(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")];
  const at = document.activeElement instanceof HTMLElement ? rows.indexOf(document.activeElement) : -1;
  const next = rows[at < 0 ? (by === 1 ? 0 : rows.length - 1) : at + by];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

const isPaletteKey = ({ ctrlKey, metaKey, key }: KeyboardEvent): boolean =>
  (ctrlKey || metaKey) && key.toLowerCase() === "k";

/** When `g` was pressed, by the clock of events; it outlives the listener, which is renewed with each page. */
let leaderAt = Number.NEGATIVE_INFINITY;

/** Listens to the keyboard; `go` opens a page. Gives what ends it. */
export function listenToKeys(go: (path: string) => void): () => void {
  const actions: Readonly<Record<string, (event: KeyboardEvent) => void>> = {
    "/": () => document.getElementById("search-everything")?.focus(),
    "?": () => {
      overlay.value = "help";
    },
    j: () => step(1),
    k: () => step(-1),
    g: ({ timeStamp }) => {
      leaderAt = timeStamp;
    },
  };
  const onKey = (event: KeyboardEvent) => {
    if (isPaletteKey(event)) {
      event.preventDefault();
      overlay.value = overlay.value === "palette" ? null : "palette";
      return;
    }
    if (isTaken(event)) return;
    const isLed = event.timeStamp - leaderAt < LEADER_MS;
    leaderAt = Number.NEGATIVE_INFINITY;
    const page = isLed ? PAGES.find(({ key }) => key === event.key) : undefined;
    const act = page ? () => go(page.path) : actions[event.key];
    if (!act) return;
    event.preventDefault();
    act(event);
  };
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}
