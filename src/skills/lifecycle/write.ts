import { actorOf } from "../../access/actor.ts";
import { requireDataFits } from "../../access/body-limits.ts";
import { isPerson } from "../../access/person.ts";
import { administersSkills, isVisibleSkill, skillVisibilityOf } from "../../access/skill-visibility.ts";
import { requireFleetOfStored } from "../../access/trust.ts";
import type { Ctx } from "../../core/ports/context.ts";
import type { StoredDocument } from "../../core/ports/document-store.ts";
import type { DocumentWritten } from "../../core/schema/document.ts";
import { SKILLS } from "../../core/schema/skill.ts";
import { searchableOf } from "../../documents/searchable.ts";
import { requireAsSeen, toDocumentView } from "../../documents/view.ts";
import type { DocumentToWrite } from "../../documents/write.ts";
import { requireDocumentWriter, writeDocument } from "../../documents/write.ts";
import { wordOf, writersWord } from "../approval.ts";
import { skillsFactory } from "./factory.ts";
import { fault, requireSkillAddress } from "./rules.ts";
import { withoutOwn } from "./scan-verdict.ts";
import { storeSkill } from "./store.ts";

/** Stores a document by the rules of its collection: skills have rules of their own. */
export const storeDocument = (ctx: Ctx, body: DocumentToWrite): Promise<DocumentWritten> =>
  body.collection === SKILLS ? writeSkill(ctx, body) : writeDocument(ctx, body);

/** Stores a skill. Where the tenant's factory is off it is a document like any other that search can find. */
async function writeSkill(ctx: Ctx, body: DocumentToWrite): Promise<DocumentWritten> {
  const { tenant_id, doc_id, data } = body;
  await requireDocumentWriter(ctx, body);
  requireSkillAddress(doc_id);
  const factory = await skillsFactory(ctx, tenant_id);
  if (!factory.enabled) {
    if (searchableOf(SKILLS, doc_id, data) === null)
      throw fault("description", "or data.summary is required for a skill");
    // Once the factory is on, its marks are believed: nobody but an administrator sets them before.
    const sent = administersSkills(ctx) ? body : { ...body, data: withoutOwn(data, "agent") };
    return writeDocument(ctx, { ...sent, approval: await writersWord(ctx, sent, factory) });
  }
  requireDataFits(ctx, data);
  const { principal } = ctx;
  const skill_visibility = skillVisibilityOf(ctx);
  const sees = (skill: StoredDocument): boolean => isVisibleSkill(skill_visibility, skill);
  const after = await storeSkill(ctx, {
    tenant_id,
    doc_id,
    fleet_id: body.no_fleet ? null : principal.fleet_id,
    named_fleet: body.fleet_id ?? null,
    data,
    role: administersSkills(ctx) ? "admin" : "agent",
    agent_id: principal.agent_id ?? body.agent_id ?? null,
    actor: actorOf(ctx),
    factory,
    embedNow: true,
    word: isPerson(ctx) ? wordOf(ctx, actorOf(ctx), "written") : null,
    guard: (current) => requireFleetOfStored(ctx, current),
    asSeen: (current) => requireAsSeen(body, current && sees(current) ? current : null),
    sees,
  });
  // An update that waits is still spoken of as the skill that it will be.
  return { ...toDocumentView(after), collection: SKILLS, indexed: after.summary !== null };
}
