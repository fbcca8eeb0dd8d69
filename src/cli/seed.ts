import { z } from "zod";
import { BULK_MAX, BulkResult } from "../schema/memory.ts";
import type { CallLocal } from "./call.ts";

/** A seed file that cannot be loaded; the message names the line. */
export class SeedError extends Error {
  override readonly name = "SeedError";
}

/** One line of a seed file: a memory item, and who wrote it for whom. */
const SeedLine = z.looseObject({
  content: z.string(),
  agent_id: z.string().optional(),
  fleet_id: z.string().optional(),
  visibility: z.string().optional(),
});
type SeedLine = z.infer<typeof SeedLine>;

/** Writes every line of a JSON Lines file as a memory, exact duplicates once. Returns how many were written. Throws SeedError. */
export async function loadSeed(call: CallLocal, path: string, tenant_id: string): Promise<number> {
  const file = Bun.file(path);
  if (!(await file.exists())) throw new SeedError(`The seed file ${path} does not exist.`);
  const lines = (await file.text())
    .split("\n")
    .flatMap((text, i) => (text.trim() === "" ? [] : [parseLine(text, i + 1)]));
  let created = 0;
  for (const owners of Map.groupBy(lines, ownersOf).values()) {
    for (let i = 0; i < owners.length; i += BULK_MAX)
      created += await writeBatch(call, tenant_id, owners.slice(i, i + BULK_MAX));
  }
  return created;
}

const ownersOf = ({ agent_id, fleet_id, visibility }: SeedLine): string =>
  JSON.stringify([agent_id, fleet_id, visibility]);

function parseLine(text: string, number: number): SeedLine {
  try {
    return SeedLine.parse(JSON.parse(text));
  } catch (cause) {
    throw new SeedError(`Line ${number} of the seed file is no JSON object with a content.`, { cause });
  }
}

async function writeBatch(call: CallLocal, tenant_id: string, lines: readonly SeedLine[]): Promise<number> {
  const [{ agent_id, fleet_id, visibility } = { agent_id: undefined, fleet_id: undefined, visibility: undefined }] =
    lines;
  const items = lines.map(({ agent_id: _agent, fleet_id: _fleet, visibility: _visibility, ...item }) => item);
  const body = { tenant_id, agent_id, fleet_id, visibility, items };
  const result = BulkResult.parse(await call("POST", "/api/v1/memories/bulk", body));
  const refused = result.results.find(({ status }) => status === "error");
  if (refused) throw new SeedError(`The seed file holds a memory that is refused: ${refused.error}`);
  return result.created;
}
