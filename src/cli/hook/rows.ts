import { z } from "zod";
import type { Project } from "../which-project.ts";

/** A memory, as hooks read it. */
export const Row = z.object({
  id: z.string(),
  content: z.string(),
  created_at: z.string(),
  status: z.string(),
  memory_type: z.string(),
  fleet_id: z.string().nullable(),
  visibility: z.string(),
  expires_at: z.string().nullish(),
  may_have_changed: z.array(z.object({ memory_id: z.string(), content_preview: z.string() })).nullish(),
});
export type Row = z.infer<typeof Row>;
/** What is asked of a row. */
export const FIELDS = Object.keys(Row.shape);
/** A page of them. */
export const Rows = z.object({ items: z.array(Row) });

/** Whose memory is asked. */
export interface Asked {
  /** Where a key may choose among tenants. */
  readonly tenant_id?: string;
  readonly project: Project | null;
  /** Whose own rules apply, too; null where the caller's key says so. */
  readonly agent: string | null;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Rows of a time when another project of the same name wrote here, too, are told once somebody has said whose they are. */
export const isSettled = (row: Row, project: Project | null): boolean =>
  project?.unsettled_before == null || row.fleet_id !== project.id || row.created_at >= project.unsettled_before;

/** The tenant of a body or query. */
export const tenantOf = ({ tenant_id }: Pick<Asked, "tenant_id">) => (tenant_id === undefined ? {} : { tenant_id });
