/** A page of the console as the menu, the palette and the keyboard know it. */
interface PageEntry {
  readonly path: string;
  readonly name: string;
  /** Pressed after `g`, it leads there. */
  readonly key: string;
  readonly about: string;
}

/** Every page, in the order of the menu. The server answers at the same paths (`src/http/console/paths.ts`). */
export const PAGES: readonly PageEntry[] = [
  { path: "/", name: "Overview", key: "o", about: "What there is, and what waits" },
  { path: "/memories", name: "Memories", key: "m", about: "What your agents know" },
  { path: "/search", name: "Search", key: "s", about: "What they would be told, and why" },
  { path: "/conflicts", name: "Conflicts", key: "c", about: "Statements that clash" },
  { path: "/entities", name: "Entities", key: "e", about: "People, places and things they name" },
  { path: "/documents", name: "Documents", key: "d", about: "Records kept under a key" },
  { path: "/keystones", name: "Keystones", key: "k", about: "Rules that every agent must follow" },
  { path: "/skills", name: "Skills", key: "i", about: "The inbox, and what the Forge did" },
  { path: "/projects", name: "Projects", key: "r", about: "Whose memories they are, and what projects are called" },
  { path: "/access", name: "Access", key: "a", about: "Keys, agents, who changed what" },
  { path: "/operations", name: "Operations", key: "p", about: "Health, jobs, backups, import, log" },
];
