import { z } from "zod";
import { AgentId, countedText, FleetId, listOf, TenantId } from "./common.ts";

const EVENTS_MAX = 500;
const EVENT_CONTENT_MAX = 8_000;
const Word = countedText(1, 200);
const Moment = countedText(0, 64);

const InterviewEvent = z
  .object({
    seq: z.number(),
    ts: z.union([Moment, z.number()]),
    session_id: Word.nullish(),
    role: Word,
    kind: Word,
    content: countedText(0, EVENT_CONTENT_MAX),
    tool: Word.nullish(),
    outcome: Word.nullish(),
  })
  .meta({ id: "InterviewEvent" });

/** Part of the transcript of an agent's session, as clients submit it. */
export const InterviewSubmission = z
  .object({
    tenant_id: TenantId,
    fleet_id: FleetId.nullish(),
    node_id: Word,
    agent_id: AgentId,
    command_id: Word.nullish(),
    cursor_from: z.number(),
    cursor_to: z.number(),
    events: listOf(InterviewEvent, EVENTS_MAX, 1),
  })
  .meta({ id: "InterviewSubmission" });
export type InterviewSubmission = z.infer<typeof InterviewSubmission>;

export const InterviewTaken = z
  .object({
    status: z.string(),
    watermark: z.number().nullable(),
    memories_written: z.int(),
    errors: z.array(z.string()),
  })
  .meta({ id: "InterviewTaken" });
export type InterviewTaken = z.infer<typeof InterviewTaken>;
