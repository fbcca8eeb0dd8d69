import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { reachable } from "../api/call.ts";
import { apiKey } from "../api/key.ts";
import { live } from "../api/live.ts";
import { identity, signOut } from "./identity.ts";
import { PAGES } from "./pages.ts";
import { overlay } from "./shortcuts.ts";
import { theme, turnTheme } from "./theme.ts";

const LIVE = {
  connected: "Live",
  connecting: "Connecting",
  lost: "Connection lost",
  paused: "Paused",
} as const;

/** The bar on top: the menu of narrow windows, the search for everything, whether it is live. */
export function TopBar({ onMenu, isOpen }: { onMenu: () => void; isOpen: boolean }) {
  const { route } = useLocation();
  const [typed, setTyped] = useState("");
  const search = (event: Event) => {
    event.preventDefault();
    if (typed.trim() !== "") route(`/search?q=${encodeURIComponent(typed.trim())}`);
  };
  return (
    <header class="top">
      <button type="button" class="menu" aria-label="Menu" aria-expanded={isOpen} onClick={onMenu}>
        ☰
      </button>
      <a class="brand" href="/">
        Cairn
      </a>
      <search>
        <form onSubmit={search}>
          <input
            dir="auto"
            id="search-everything"
            type="search"
            aria-label="Search memories"
            placeholder="Search memories  ( / )"
            value={typed}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </form>
      </search>
      <span class={`live is-${live.value}`} role="status">
        <span class="dot" aria-hidden="true" />
        <span class="live-word">{LIVE[live.value]}</span>
      </span>
      <button type="button" class="wide-only" onClick={() => (overlay.value = "palette")}>
        Commands <kbd>Ctrl K</kbd>
      </button>
    </header>
  );
}

/** The menu of pages, and who is looking. */
export function SideBar({ onGo }: { onGo: () => void }) {
  const { path } = useLocation();
  const who = identity.value;
  return (
    <nav class="side" aria-label="Pages">
      <ul>
        {PAGES.map((page) => (
          <li key={page.path}>
            <a
              href={page.path}
              aria-current={path === page.path ? "page" : undefined}
              onClick={onGo}
              title={page.about}
            >
              {page.name}
            </a>
          </li>
        ))}
      </ul>
      <div class="side-foot">
        {who && (
          <p class="dim" title="Who the server takes this tab for">
            {who.agent_id ?? "Owner"} · {who.tenant_id}
          </p>
        )}
        <button type="button" class="link" onClick={turnTheme}>
          Theme: {theme.value}
        </button>
        <button type="button" class="link" onClick={() => (overlay.value = "help")}>
          Keyboard <kbd>?</kbd>
        </button>
        <a href="/api/docs" target="_self">
          Interface documentation
        </a>
        {apiKey.value !== null && (
          <button type="button" class="link" onClick={signOut}>
            Sign out
          </button>
        )}
      </div>
    </nav>
  );
}

/** Says that the server is gone, for as long as it is. */
export const LostServer = () =>
  reachable.value ? null : (
    <div class="lost" role="alert">
      The server does not answer. What is shown is from before; nothing you have typed is lost. Trying again…
    </div>
  );
