import { call } from "../../api/call.ts";
import type { InboxMoved } from "../../api/schemas.gen.ts";

/** What a reviewer says when not approving. */
interface Said {
  readonly reason: string;
  readonly cooloff_days: number;
}

/** A way not to approve a skill. */
export interface Decline {
  readonly name: "defer" | "quarantine" | "reject";
  readonly verb: string;
  readonly kind: "plain" | "danger";
  /** What becomes of the skill. */
  readonly about: string;
  readonly needsReason: boolean;
  readonly needsDays: boolean;
  /** What is told afterwards. */
  readonly done: string;
  readonly send: (slug: string, said: Said) => Promise<InboxMoved>;
}

const DEFER: Decline = {
  name: "defer",
  verb: "Defer",
  kind: "plain",
  about: "It stays in the inbox, at its end.",
  needsReason: false,
  needsDays: false,
  done: "Deferred: it waits at the end of the inbox.",
  send: (slug, { reason }) => call("deferSkill", { path: { slug }, body: reason === "" ? {} : { reason } }),
};

const QUARANTINE: Decline = {
  name: "quarantine",
  verb: "Quarantine",
  kind: "danger",
  about:
    "It is taken out of the inbox and out of everybody's sight. From there it can only be rejected; it comes back when it is written again.",
  needsReason: true,
  needsDays: false,
  done: "Quarantined.",
  send: (slug, { reason }) => call("quarantineSkill", { path: { slug }, body: { reason } }),
};

export const REJECT: Decline = {
  name: "reject",
  verb: "Reject",
  kind: "danger",
  about:
    "It is never delivered, and the like of it is not taken again until the cool-off is over. There is no way back except writing it again.",
  needsReason: true,
  needsDays: true,
  done: "Rejected.",
  send: (slug, { reason, cooloff_days }) => call("rejectSkill", { path: { slug }, body: { reason, cooloff_days } }),
};

/** The ways not to approve a staged skill. */
export const DECLINES: readonly Decline[] = [DEFER, QUARANTINE, REJECT];
