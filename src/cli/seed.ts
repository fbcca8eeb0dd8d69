import { z } from "zod";
import { nearestWord } from "../core/kernel/text.ts";
import { Visibility } from "../core/schema/access.ts";
import { AgentId, FleetId } from "../core/schema/common.ts";
import { BULK_MAX, BulkResult, MemoryItem } from "../core/schema/memory.ts";
import type { CallLocal } from "./call.ts";

/** A seed file that cannot be loaded; the message names the line and what is wrong there. */
export class SeedError extends Error {
  override readonly name = "SeedError";
}

/** A memory item, and who wrote it for whom. What it says is for the server to check, but for what it calls its members. */
const SeedItem = z.looseObject({
  content: z.string(),
  agent_id: AgentId.optional(),
  fleet_id: FleetId.optional(),
  visibility: Visibility.optional(),
});
const MEMBERS = [...Object.keys(MemoryItem.shape), ...Object.keys(SeedItem.shape)];

/** One line of a seed file. */
interface SeedLine {
  readonly number: number;
  readonly item: z.infer<typeof SeedItem>;
}

/** Writes every line of a JSON Lines file as a memory, exact duplicates once. Returns how many were written. Throws SeedError. */
export async function loadSeed(call: CallLocal, path: string, tenant_id: string): Promise<number> {
  const text = await Bun.file(path)
    .text()
    .catch((cause: Error) => {
      throw new SeedError(`The seed file ${path} cannot be read: ${cause.message}`, { cause });
    });
  const lines = text.split("\n").flatMap((line, i) => (line.trim() === "" ? [] : [parseLine(line, i + 1)]));
  let created = 0;
  for (const owners of Map.groupBy(lines, ownersOf).values()) {
    for (let i = 0; i < owners.length; i += BULK_MAX)
      created += await writeBatch(call, tenant_id, owners.slice(i, i + BULK_MAX));
  }
  return created;
}

const ownersOf = ({ item: { agent_id, fleet_id, visibility } }: SeedLine): string =>
  JSON.stringify([agent_id, fleet_id, visibility]);

function parseLine(text: string, number: number): SeedLine {
  const parsed = SeedItem.safeParse(parseJson(text, number));
  if (parsed.success) {
    const unknown = Object.keys(parsed.data).find((name) => !MEMBERS.includes(name));
    if (unknown === undefined) return { number, item: parsed.data };
    const near = nearestWord(unknown, MEMBERS);
    throw broken(number, `a memory has no '${unknown}'${near === null ? "" : `: did you mean '${near}'?`}`);
  }
  const faults = parsed.error.issues.map(({ path, message }) => [...path, message].join(": "));
  throw broken(number, faults.join("; "));
}

function parseJson(text: string, number: number): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw broken(number, `it is no JSON (${cause instanceof Error ? cause.message : cause})`);
  }
}

const broken = (number: number, why: string): SeedError =>
  new SeedError(`Line ${number} of the seed file cannot be loaded: ${why}`);

async function writeBatch(call: CallLocal, tenant_id: string, lines: readonly SeedLine[]): Promise<number> {
  const { agent_id, fleet_id, visibility } = lines[0]?.item ?? {};
  const items = lines.map(({ item: { agent_id: _agent, fleet_id: _fleet, visibility: _visibility, ...item } }) => item);
  const body = { tenant_id, agent_id, fleet_id, visibility, items };
  const reply = await call("POST", "/api/v1/memories/bulk", body).catch((cause: Error) => {
    throw broken(lines[0]?.number ?? 0, cause.message);
  });
  const result = BulkResult.parse(reply);
  const refused = result.results.find(({ status }) => status === "error");
  if (refused) throw broken(lines[refused.index]?.number ?? 0, refused.error ?? "it is refused");
  return result.created;
}
