import { z } from "zod";
import type { Ctx } from "../../core/ports/context.ts";
import {
  ApproveBody,
  DeferBody,
  EditBody,
  Inbox,
  InboxActionQuery,
  InboxMoved,
  InboxPath,
  InboxQuery,
  InstallableBody,
  InstallableSkill,
  QuarantineBody,
  RejectBody,
  SkillApproveBody,
  SkillList,
  SkillListQuery,
} from "../../core/schema/skill.ts";
import { installableSkills, listSkills } from "../../skills/catalog.ts";
import { deliverSkill } from "../../skills/deliver.ts";
import { approveSkill } from "../../skills/lifecycle/approve.ts";
import { deferSkill, quarantineSkill, rejectSkill } from "../../skills/lifecycle/decline.ts";
import { editSkill } from "../../skills/lifecycle/edit.ts";
import { listInbox } from "../../skills/lifecycle/inbox.ts";
import type { ReviewAddress } from "../../skills/lifecycle/reviewed.ts";
import type { Operation } from "../operation.ts";
import { operation } from "../operation.ts";
import { nextPage, PAGED } from "../paged.ts";

const tag = "Skills";
const inbox = "/api/v1/skills-inbox";

interface Action<B> {
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  readonly body: z.ZodType<B>;
  readonly run: (ctx: Ctx, address: ReviewAddress, body: B) => Promise<InboxMoved>;
}

/** One action of a reviewer on one skill; the slash of its doc_id may be written as it is or as %2F. */
const action = <B>({ name, run, ...spec }: Action<B>): Operation =>
  operation({
    method: "POST",
    path: `${inbox}/{slug}/${name}`,
    aliases: [`${inbox}/{slug}/{slug_rest}/${name}`],
    id: `${name}Skill`,
    tag,
    rate: "write",
    changes: ["skills", "documents"],
    idempotent: true,
    params: InboxPath,
    query: InboxActionQuery,
    reply: InboxMoved,
    statuses: [200],
    refusals: ["SKILLS_FACTORY_DISABLED", "SKILLS_INBOX_FORBIDDEN", "TENANT_MISMATCH", "NOT_FOUND", "CONFLICT"],
    ...spec,
    run: (ctx, { params, query, body }) => run(ctx, { ...query, doc_id: params.slug }, body),
  });

export const skillOperations: readonly Operation[] = [
  operation({
    method: "POST",
    path: "/api/v1/skills/installable",
    id: "installableSkills",
    tag,
    summary: "Skills to deliver to a harness, newest change first",
    description: `What a person wrote or approved as it is now, after a scan; of that, once the skill factory is on, the active ones of the fleets that the caller reads and of none. With the OpenClaw bridge on, the same under its bare slug counts as well. ${PAGED}`,
    body: InstallableBody,
    reply: z.array(InstallableSkill),
    statuses: [200],
    refusals: ["TENANT_MISMATCH"],
    run: async (ctx, { body }) => {
      const { items, next_offset } = await installableSkills(ctx, body);
      return nextPage([...items], next_offset);
    },
  }),
  operation({
    method: "GET",
    path: "/api/v1/skills",
    id: "listSkills",
    tag,
    summary: "Skills: whether each is delivered, and on whose word",
    query: SkillListQuery,
    reply: SkillList,
    statuses: [200],
    refusals: ["TENANT_MISMATCH"],
    run: (ctx, { query }) => listSkills(ctx, query),
  }),
  operation({
    method: "POST",
    path: "/api/v1/skills/approve",
    id: "deliverSkill",
    tag,
    summary: "Deliver a skill as it is from now on",
    description:
      "For whoever reviews, whether the skill factory is on or off. It is scanned; `digest` makes sure that it is what was read. A change of it ends the delivery.",
    rate: "write",
    changes: ["skills", "documents"],
    idempotent: true,
    body: SkillApproveBody,
    reply: InboxMoved,
    statuses: [200],
    refusals: ["SKILLS_INBOX_FORBIDDEN", "TENANT_MISMATCH", "NOT_FOUND", "CONFLICT"],
    run: (ctx, { body }) => deliverSkill(ctx, body),
  }),
  operation({
    method: "GET",
    path: inbox,
    id: "listInbox",
    tag,
    summary: "Staged skills that wait for a reviewer",
    query: InboxQuery,
    reply: Inbox,
    statuses: [200],
    refusals: ["SKILLS_FACTORY_DISABLED", "SKILLS_INBOX_FORBIDDEN", "TENANT_MISMATCH"],
    run: (ctx, { query }) => listInbox(ctx, query),
  }),
  action({
    name: "edit",
    summary: "Revise a staged skill and scan it again",
    body: EditBody,
    run: editSkill,
  }),
  action({
    name: "defer",
    summary: "Leave a staged skill for later, at the end of the queue",
    body: DeferBody,
    run: deferSkill,
  }),
  action({
    name: "approve",
    summary: "Deliver a staged skill from now on",
    description: "It is scanned once more; content_hash in the body makes sure that it is what was reviewed.",
    body: ApproveBody,
    run: approveSkill,
  }),
  action({
    name: "quarantine",
    summary: "Take a staged skill out of sight",
    body: QuarantineBody,
    run: quarantineSkill,
  }),
  action({
    name: "reject",
    summary: "Reject a staged or quarantined skill, and bar the like of it for a while",
    body: RejectBody,
    run: rejectSkill,
  }),
];
