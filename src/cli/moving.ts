import { counted } from "../core/kernel/text.ts";
import type { MovedItem } from "../core/schema/places/move.ts";
import { MovedReply } from "../core/schema/places/move.ts";
import type { Cli } from "./connect.ts";
import { plainText } from "./output.ts";
import { askWhich } from "./which-project.ts";

/** Where memories are moved to. */
export interface Target {
  readonly to: { readonly fleet_id: string } | { readonly everyone: true };
  readonly said: string;
}

/** What of the memories is moved: these, or what passes every filter. */
export type Chosen = { readonly ids: readonly string[] } | { readonly filter: Readonly<Record<string, unknown>> };

const EVERYONE = "everyone";

/** The project that somebody names, or everyone. Throws Refused for a name that several projects have. */
export async function targetNamed({ call, tenant_id }: Cli, name: string, dry_run: boolean): Promise<Target> {
  if (name === EVERYONE) return { to: { everyone: true }, said: "everyone" };
  const { project } = await askWhich(call, { tenant_id, save: !dry_run }, { named: name });
  return {
    to: { fleet_id: project?.id ?? name },
    said: `project ${plainText(project?.name ?? name)}${project?.is_new ? ", a new one" : ""}`,
  };
}

/** What became of a move. */
export interface Moves {
  readonly matched: number;
  readonly moved: number;
  readonly items: readonly MovedItem[];
}

/** Ids of one request. */
const IDS_MAX = 500;

/** Moves memories, in as many steps as the server takes; with `dry_run` it is only told how many. */
export async function moveAll(cli: Cli, chosen: Chosen, { to }: Target, dry_run: boolean): Promise<Moves> {
  const parts = "ids" in chosen ? inParts(chosen.ids).map((ids) => ({ ids })) : [chosen];
  const items: MovedItem[] = [];
  let [matched, moved] = [0, 0];
  for (const part of parts) {
    for (let next: string | null | undefined; next !== null; ) {
      const body = { tenant_id: cli.tenant_id, ...part, to, dry_run, next };
      const step = MovedReply.parse(await cli.call("POST", "/api/v1/memories/move", body));
      items.push(...step.items);
      matched += step.matched;
      moved += step.moved;
      next = step.next;
    }
  }
  return { matched, moved, items };
}

const inParts = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / IDS_MAX) }, (_, i) => ids.slice(i * IDS_MAX, (i + 1) * IDS_MAX));

/** Tells what became of a move, and of what did not move why; then the exit code is 1. */
export function tellMoves({ out }: Cli, { matched, moved, items }: Moves, { said }: Target, dry_run: boolean): void {
  const stayed = items.filter(({ outcome }) => outcome === "duplicate" || outcome === "refused");
  if (stayed.some(({ outcome }) => outcome === "refused")) process.exitCode = 1;
  if (out.isJson) {
    out.json({ dry_run, matched, moved, items });
    return;
  }
  for (const { id, outcome, existing_id, error } of stayed)
    out.note(
      `${id} stays: ${outcome === "duplicate" ? `${existing_id} says the same there` : plainText(error ?? outcome)}`,
    );
  const there = items.filter(({ outcome }) => outcome === "already_there").length;
  if (there > 0) out.note(`${there} ${there === 1 ? "is" : "are"} there already.`);
  const count = counted(moved, "memory", "memories");
  out.line(dry_run ? `${count} would move to ${said}.` : `${count} moved to ${said}.`);
}
