import { z } from "zod";

/** A tenant that exists only while something is tried out: the time of its making in epoch milliseconds, and chance. */
const NAME = /^cairn-trial-(\d{13})-[0-9a-f]{8}$/;

export const TrialName = z
  .string()
  .regex(NAME)
  .describe(
    "A throwaway tenant: `cairn-trial-`, the epoch milliseconds of its making, `-` and eight hexadecimal digits.",
  );

/** Whether a tenant is a throwaway one. */
export const isTrial = (tenant_id: string): boolean => NAME.test(tenant_id);

/** A new throwaway tenant. */
export const newTrial = (nowMs: number): string =>
  `cairn-trial-${String(nowMs).padStart(13, "0")}-${crypto.randomUUID().slice(0, 8)}`;

/** When a throwaway tenant was made, in epoch milliseconds; null for any other tenant. */
export function madeAt(tenant_id: string): number | null {
  const made = NAME.exec(tenant_id)?.[1];
  return made === undefined ? null : Number(made);
}

export const TrialPath = z.object({ trial: TrialName });
export type TrialPath = z.infer<typeof TrialPath>;

export const TrialErased = z
  .object({
    memories: z.int().describe("Memories that were erased, deleted ones included."),
    left: z.int().describe("Rows of any kind that are still there: zero."),
  })
  .meta({ id: "TrialErased" });
export type TrialErased = z.infer<typeof TrialErased>;
