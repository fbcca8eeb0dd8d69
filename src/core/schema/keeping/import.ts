import { z } from "zod";
import { AgentId, countedText, FleetId, listOf, TenantId } from "../common.ts";

/** Records that one request may carry. */
export const IMPORT_MAX = 200;

const SourceName = countedText(1, 200).describe("Name of what is imported: under it the server keeps how far it is.");

export const ImportRequest = z
  .object({
    tenant_id: TenantId,
    agent_id: AgentId.nullish().describe("Author of the memories that name none."),
    fleet_id: FleetId.nullish().describe("Fleet of the memories that name none."),
    shared_stays: z
      .boolean()
      .optional()
      .describe(
        "A memory that names no fleet and is here for every fleet already, from an import before, stays so (`different`): else it is stored for `fleet_id` once more.",
      ),
    source: SourceName.nullish(),
    position: z
      .int()
      .min(0)
      .nullish()
      .describe("How far the source is read once these records are stored; kept where none of them is refused."),
    trust_source: z
      .boolean()
      .default(false)
      .describe(
        "Takes settings, agents with their trust, keystones and skills too: for people who know who wrote them. Without it they are skipped.",
      ),
    dry_run: z.boolean().default(false).describe("Tells what would become of each record, and stores nothing."),
    records: listOf(z.looseObject({ record: z.unknown().optional() }), IMPORT_MAX).describe(
      "Records as an export has them; each is checked on its own, and a bad one fails alone.",
    ),
  })
  .meta({ id: "ImportRequest" });
export type ImportRequest = z.infer<typeof ImportRequest>;

export const IMPORT_OUTCOMES = [
  "created",
  "exists",
  "duplicate",
  "different",
  "deleted",
  "skipped",
  "refused",
] as const;
export const ImportOutcomeName = z
  .enum(IMPORT_OUTCOMES)
  .describe(
    "exists: it is there already, by its id or key. duplicate: another memory says the same. different: something else is there, and stays. deleted: it was deleted here, and stays so. skipped: it says what agents are told or may do, and needs trust_source. refused: `error` says why.",
  );
export type ImportOutcomeName = z.infer<typeof ImportOutcomeName>;

export const ImportResult = z
  .object({
    results: z.array(
      z.object({
        index: z.int(),
        outcome: ImportOutcomeName,
        id: z.string().nullable().describe("The memory, where it is one."),
        error: z.string().nullable().describe("Why it was refused, or in what else than its text it differs."),
        fleet_id: z.string().nullable().optional().describe("Fleet of the memory that is there already."),
        beside: z
          .object({ id: z.string(), fleet_id: z.string().nullable() })
          .optional()
          .describe("The same memory in another fleet, from an import before, where this one is stored as well."),
      }),
    ),
    position: z.int().nullable(),
  })
  .meta({ id: "ImportResult" });
export type ImportResult = z.infer<typeof ImportResult>;

export const ImportQuery = z.object({ tenant_id: TenantId, source: SourceName });
export type ImportQuery = z.infer<typeof ImportQuery>;

export const ImportState = z
  .object({
    position: z.int().describe("How far it is stored; 0 before the first record."),
    updated_at: z.string().meta({ format: "date-time" }).nullable(),
  })
  .meta({ id: "ImportState" });
export type ImportState = z.infer<typeof ImportState>;
