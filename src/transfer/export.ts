import { requireTenant } from "../access/tenant.ts";
import { requireAdmin } from "../access/trust.ts";
import { toTimestamp } from "../core/kernel/clock.ts";
import type { Ctx } from "../core/ports/context.ts";
import { firstMoment, momentBehind } from "../core/schema/common.ts";
import type { ExportEnd, ExportHeader, ExportQuery, TransferRecord } from "../core/schema/keeping/transfer.ts";
import { EXPORT_FORMAT } from "../core/schema/keeping/transfer.ts";
import { RELEASE } from "../version.ts";

/**
 * Everything of a tenant, or what a query names of it, as JSON Lines: a header, a record a line, and an end that counts them.
 * Keys, deleted memories, the audit log and the text of other tenants are not in it. For administrators.
 */
export function exportTenant(ctx: Ctx, query: ExportQuery): AsyncIterable<string> {
  requireAdmin(ctx);
  const { tenant_id: named, utc_offset_minutes: offset, created_after, created_before, ...rest } = query;
  const { shared_only, fleet_id, agent_id } = rest;
  const filter = {
    fleet_id,
    shared_only: shared_only || undefined,
    agent_id,
    created_after: firstMoment(created_after, offset),
    created_before: momentBehind(created_before, offset),
  };
  const tenant_id = requireTenant(ctx, named);
  const header: ExportHeader = {
    record: "export",
    format: EXPORT_FORMAT,
    release: RELEASE,
    exported_at: toTimestamp(ctx.clock.now()),
    tenant_id,
    filter: Object.fromEntries(
      Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
  };
  return linesOf(
    header,
    ctx.storage.transfer.records({ ...filter, tenant_id, fleet_id: shared_only ? null : fleet_id }),
  );
}

async function* linesOf(header: ExportHeader, parts: AsyncIterable<readonly TransferRecord[]>): AsyncGenerator<string> {
  const counts: Record<string, number> = {};
  // What cannot be read at all is told before anything was sent.
  let head = line(header);
  for await (const part of parts) {
    for (const { record } of part) counts[record] = (counts[record] ?? 0) + 1;
    yield head + part.map(line).join("");
    head = "";
  }
  yield head + line({ record: "end", counts } satisfies ExportEnd);
}

const line = (value: unknown): string => `${JSON.stringify(value)}\n`;
