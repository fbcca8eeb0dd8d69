import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { Dialog } from "../kit/dialog.tsx";
import { signOut } from "./identity.ts";
import { PAGES } from "./pages.ts";
import { closeOverlay, isComposing } from "./shortcuts.ts";
import { turnTheme } from "./theme.ts";

interface Command {
  readonly name: string;
  readonly about: string;
  run(): void;
}

const SHOWN_MAX = 12;

/** The command palette: pages and actions by their name, and a search for whatever else is typed. */
export function Palette() {
  const { route } = useLocation();
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState(0);
  const close = () => closeOverlay("palette");
  const found = commandsFor(typed, route).slice(0, SHOWN_MAX);
  const run = (command: Command | undefined) => {
    close();
    command?.run();
  };
  const onKey = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key === "ArrowDown") setChosen(Math.min(chosen + 1, found.length - 1));
    else if (event.key === "ArrowUp") setChosen(Math.max(chosen - 1, 0));
    else if (event.key === "Enter") run(found[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Go to or do" onClose={close}>
      <input
        dir="auto"
        autoFocus
        type="text"
        role="combobox"
        aria-label="Command"
        aria-expanded="true"
        aria-controls="palette-commands"
        aria-activedescendant={`palette-${chosen}`}
        value={typed}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKey}
      />
      <div id="palette-commands" role="listbox" aria-label="Commands" class="palette">
        {found.map((command, i) => (
          <div
            key={command.name}
            id={`palette-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === chosen}
            class="palette-row"
            onClick={() => run(command)}
            onKeyDown={onKey}
          >
            <span>{command.name}</span>
            <span class="dim">{command.about}</span>
          </div>
        ))}
      </div>
    </Dialog>
  );
}

function commandsFor(typed: string, route: (path: string) => void): Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const all: Command[] = [
    ...PAGES.map(({ name, about, path }) => ({ name, about, run: () => route(path) })),
    { name: "Write a memory", about: "Memories", run: () => route("/memories?new=1") },
    { name: "Back up now", about: "Operations", run: () => route("/operations?tab=backups") },
    { name: "Import", about: "Operations", run: () => route("/operations?tab=import") },
    { name: "Mint a key", about: "Access", run: () => route("/access?tab=keys") },
    { name: "Change light and dark", about: "Appearance", run: turnTheme },
    { name: "Interface documentation", about: "/api/docs", run: () => location.assign("/api/docs") },
    { name: "Sign out", about: "Forgets the key of this tab", run: signOut },
  ];
  const fitting = all.filter(({ name, about }) => {
    const text = `${name} ${about}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  if (typed.trim() === "") return fitting;
  const query = encodeURIComponent(typed.trim());
  return [
    ...fitting,
    { name: `Search for “${typed.trim()}”`, about: "Search", run: () => route(`/search?q=${query}`) },
  ];
}
