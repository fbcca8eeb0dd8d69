import { toDocumentView } from "../documents/view.ts";
import type { Services } from "../ports/context.ts";
import type { Actor } from "../ports/memory-store.ts";
import type { Document, DocumentWrite } from "../schema/document.ts";
import { skillsFactory } from "./factory.ts";
import { storeSkill } from "./store.ts";

const MIGRATION: Actor = { agent_id: null, auth_source: "migration" };

/**
 * Stores a skill of source `imported` at its bare slug: the way of a migration, which no caller over the wire has. It alone
 * may bring a skill without content; every other rule and the scan are those of all skills.
 */
export async function importSkill(
  services: Services,
  { tenant_id, doc_id, data, fleet_id }: Pick<DocumentWrite, "tenant_id" | "doc_id" | "data" | "fleet_id">,
): Promise<Document> {
  const after = await storeSkill(services, {
    tenant_id,
    doc_id,
    fleet_id: fleet_id ?? null,
    data,
    role: "migration",
    agent_id: null,
    actor: MIGRATION,
    factory: await skillsFactory(services, tenant_id),
    embedNow: false,
  });
  return toDocumentView(after);
}
