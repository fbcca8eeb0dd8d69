import { z } from "zod";
import { AuditLog } from "../../../src/core/schema/account.ts";
import type { DocumentWritten } from "../../../src/core/schema/document.ts";
import { Document } from "../../../src/core/schema/document.ts";
import { Inbox, InboxMoved } from "../../../src/core/schema/skill.ts";
import { TENANT } from "../builders.ts";
import type { CallOptions, Client, Refusal, Reply } from "./client.ts";
import { DOCUMENTS, documentsApi } from "./documents.ts";

export const INBOX = "/api/v1/skills-inbox";
type Fields = Readonly<Record<string, unknown>>;

/** Data of a skill that every rule lets pass. */
export const aSkill = (slug: string, fields: Fields = {}): Record<string, unknown> => ({
  name: `Work on ${slug}`,
  slug,
  description: `How to work on ${slug}.`,
  domain: "work",
  kind: "create",
  source: "agent",
  content: `# ${slug}\n\n1. Look at it.\n2. Work on it.\n`,
  ...fields,
});

/** The calls about skills, each expected to succeed unless it is named otherwise. */
export interface SkillsApi {
  write(slug: string, fields?: Fields, body?: Fields): Promise<DocumentWritten>;
  refusedWrite(slug: string, fields?: Fields, body?: Fields): Promise<Reply<Refusal>>;
  get(doc_id: string): Promise<Document>;
  status(doc_id: string): Promise<unknown>;
  inbox(query?: CallOptions["query"]): Promise<Inbox>;
  act(doc_id: string, action: string, body?: unknown): Promise<InboxMoved>;
  refusedAct(doc_id: string, action: string, body?: unknown): Promise<Reply<Refusal>>;
  installable(fields?: Fields): Promise<Document[]>;
  /** Names of the changes of a skill, oldest first, with the status before and after. */
  history(doc_id: string): Promise<string[]>;
}

const actionPath = (doc_id: string, action: string): string => `${INBOX}/${encodeURIComponent(doc_id)}/${action}`;

export function skillsApi(client: Client, tenant_id = TENANT): SkillsApi {
  const body = (slug: string, fields?: Fields, more?: Fields) => ({
    body: { tenant_id, collection: "skills", doc_id: slug, data: aSkill(slug, fields), ...more },
  });
  const api = documentsApi(client, tenant_id);
  return {
    write: (slug, fields, { doc_id = slug, ...more } = {}) =>
      api.put("skills", String(doc_id), aSkill(slug, fields), more),
    refusedWrite: (slug, fields, more) => client.refused("POST", DOCUMENTS, body(slug, fields, more)),
    get: (doc_id) => api.get("skills", doc_id),
    status: async (doc_id) => (await api.get("skills", doc_id)).data.status,
    inbox: (query) => client.ok(Inbox, "GET", INBOX, { query }),
    act: (doc_id, action, sent) =>
      client.ok(InboxMoved, "POST", actionPath(doc_id, action), sent === undefined ? {} : { body: sent }),
    refusedAct: (doc_id, action, sent) =>
      client.refused("POST", actionPath(doc_id, action), sent === undefined ? {} : { body: sent }),
    installable: (fields) =>
      client.ok(z.array(Document), "POST", "/api/v1/skills/installable", { body: { tenant_id, ...fields } }),
    history: async (doc_id) => {
      const query = { tenant_id, target_id: `skills/${doc_id}`, limit: 200 };
      const { items } = await client.ok(AuditLog, "GET", "/api/v1/audit-log", { query });
      return items
        .map(({ action, before, after }) => `${action} ${before?.status ?? "-"} ${after?.status ?? "-"}`)
        .toReversed();
    },
  };
}

/** Switches the skill factory on, with whatever else of its settings. */
export const enableFactory = (client: Client, settings: Fields = {}, tenant_id = TENANT): Promise<unknown> =>
  client.ok(z.unknown(), "PATCH", "/api/v1/settings", {
    query: { tenant_id },
    body: { skills_factory: { enabled: true, ...settings } },
  });
