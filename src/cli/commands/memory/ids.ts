import { z } from "zod";
import type { CallLocal } from "../../call.ts";
import type { Cli } from "../../connect.ts";
import { plainText } from "../../output.ts";
import { hinting } from "../../refusal.ts";
import { changerOf, readerOf } from "../../scope.ts";
import { UsageError } from "../../usage.ts";

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const Page = z.object({ items: z.array(z.object({ id: z.string() })), next_cursor: z.string().nullable() });
const PAGE = 500;
/** So many of the newest rows are looked through for an id that was cut short. */
const LOOKED_AT = 5_000;

/**
 * The id that somebody wrote: whole, or its beginning as tables show it, with `withDeleted` also of a deleted memory. Throws
 * UsageError where none or several fit.
 */
export async function wholeId(cli: Cli, written: string, { withDeleted = false } = {}): Promise<string> {
  const asked = written.toLowerCase();
  if (UUID.test(asked)) return asked;
  if (!/^[0-9a-f-]{4,36}$/.test(asked))
    throw new UsageError(`'${plainText(written)}' is no id of a memory. \`cairn list\` shows them.`);
  const { found, isAll } = await idsFrom(cli, asked, withDeleted);
  const [id] = found;
  if (id !== undefined && found.length === 1) return id;
  if (found.length > 0)
    throw new UsageError(
      `${found.length} ids begin with '${asked}': ${found.slice(0, 5).join(", ")}. Write more of it.`,
    );
  const [deleted, ...others] = withDeleted ? [] : (await idsFrom(cli, asked, true)).found;
  if (deleted !== undefined && others.length === 0)
    throw new UsageError(`${deleted} is deleted; \`cairn restore ${deleted}\` brings it back.`);
  const within = isAll ? "" : ` among the newest ${LOOKED_AT}; write the whole of an older one's`;
  const list = withDeleted || deleted !== undefined ? "cairn list --deleted" : "cairn list";
  throw new UsageError(`No memory's id begins with '${asked}'${within}. \`${list}\` shows them.`);
}

/** The same of several, each once. */
export async function wholeIds(cli: Cli, written: readonly string[], options = {}): Promise<string[]> {
  const ids = new Set<string>();
  for (const one of written) ids.add(await wholeId(cli, one, options));
  return [...ids];
}

/** The ids that begin so among the newest rows, and whether those are all there are. */
async function idsFrom(cli: Cli, asked: string, withDeleted: boolean): Promise<{ found: string[]; isAll: boolean }> {
  const found: string[] = [];
  let cursor: string | null = "";
  for (let seen = 0; cursor !== null && seen < LOOKED_AT; seen += PAGE) {
    const query = new URLSearchParams({ tenant_id: cli.tenant_id, agent_id: readerOf(cli), fields: "id" });
    query.set("limit", String(PAGE));
    query.set("include_deleted", String(withDeleted));
    if (cursor !== "") query.set("cursor", cursor);
    const page: z.infer<typeof Page> = Page.parse(await cli.call("GET", `/api/v1/memories?${query}`));
    found.push(...page.items.flatMap(({ id }) => (id.startsWith(asked) ? [id] : [])));
    cursor = page.next_cursor;
  }
  return { found, isAll: cursor === null };
}

/** Calls about one memory: one that is not found says where to look. */
export const memoryCalls = ({ call }: Cli): CallLocal =>
  hinting(
    call,
    "`cairn list` shows those there are, with --deleted those that `cairn restore` brings back; another agent's private ones take --agent.",
  );

type Query = Readonly<Record<string, string>>;
const pathOf = (id: string, end: string, query: Query): string =>
  `/api/v1/memories/${encodeURIComponent(id)}${end}?${new URLSearchParams(query)}`;

/** Address of a memory for who looks at it. */
export const seenAt = (cli: Cli, id: string, end = "", more: Query = {}): string =>
  pathOf(id, end, { tenant_id: cli.tenant_id, agent_id: readerOf(cli), ...more });

/** Address of a memory for who changes it. */
export const changedAt = (cli: Cli, id: string, end = "", more: Query = {}): string =>
  pathOf(id, end, { ...changerOf(cli), ...more });
