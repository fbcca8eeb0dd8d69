import { z } from "zod";
import { ToldCounts } from "../../core/schema/observing/told.ts";
import type { CallLocal } from "../call.ts";
import type { Project } from "../which-project.ts";
import type { Asked, Row } from "./rows.ts";
import { FIELDS, isSettled, Rows, tenantOf } from "./rows.ts";

/** Rows of one prompt that are told at most. */
export const TOP_K = 6;
const TOP_K_DOUBTED = 20;

export interface Prompted extends Pick<Asked, "tenant_id"> {
  readonly query: string;
  readonly project: Project | null;
  /** What a row must score to be told. */
  readonly floor: number;
  /** Milliseconds that the server may wait for its models, some of which load again after a while without a question. */
  readonly wait_ms: number;
}

/** The memories that likely answer a prompt, best first, of the project and of what is shared beyond it. */
export async function askFitting(call: CallLocal, prompted: Prompted): Promise<Row[]> {
  const { project, floor } = prompted;
  // What is passed over takes no place of what is told.
  const top_k = project?.unsettled_before == null ? TOP_K : TOP_K_DOUBTED;
  const body = { ...bodyOf(prompted), sink_unused: true, top_k, min_score: floor, fields: FIELDS };
  const { items } = Rows.parse(await call("POST", "/api/v1/search", body));
  return items.filter((row) => isSettled(row, project)).slice(0, TOP_K);
}

const Near = z.object({
  items: z.array(z.object({ id: z.string(), content: z.string(), score: z.number().nullable() })),
  warnings: z
    .array(z.object({ message: z.string() }).transform(({ message }) => message))
    .nullish()
    .transform((warnings) => warnings ?? []),
});
/** Memories that are nearest a prompt, whatever they score, and what the server says of its search. */
export type Near = z.infer<typeof Near>;

/** What of memory is nearest a prompt. It is looked at by a person, and counts as no use of it. */
export async function askNear(call: CallLocal, prompted: Prompted): Promise<Near> {
  const body = {
    ...bodyOf(prompted),
    sink_unused: true,
    min_score: 0,
    fields: Object.keys(Near.shape.items.element.shape),
    diagnostic: true,
  };
  return Near.parse(await call("POST", "/api/v1/search", body));
}

/** How often memories were told and used, by their ids; those of which the server does not tell it are left out. */
export async function askTold(
  call: CallLocal,
  ids: readonly string[],
  asked: Pick<Prompted, "tenant_id">,
): Promise<ReadonlyMap<string, ToldCounts>> {
  const query = new URLSearchParams(tenantOf(asked));
  const counts = ids.map((id) =>
    call("GET", `/api/v1/memories/${id}/told?${query}`).then((told) => ToldCounts.parse(told)),
  );
  const found = await Promise.allSettled(counts);
  const told = found.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  return new Map(told.map((one) => [one.memory_id, one]));
}

const bodyOf = ({ query, project, wait_ms, ...asked }: Prompted) => ({
  query,
  ...tenantOf(asked),
  top_k: TOP_K,
  wait_ms,
  ...(project === null ? { shared_only: true } : { fleet_ids: [project.id] }),
});
