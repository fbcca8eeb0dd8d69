import { eraseTrial } from "../../access/trials.ts";
import { TrialErased, TrialPath } from "../../core/schema/trial.ts";
import type { Operation } from "../operation.ts";
import { operation } from "../operation.ts";

export const trialOperations: readonly Operation[] = [
  operation({
    method: "DELETE",
    path: "/api/v1/trials/{trial}",
    id: "eraseTrial",
    tag: "System",
    summary: "Erase a throwaway tenant without a trace",
    description:
      "For the owner of the machine, who acts in such a tenant by naming it in the header of the tenant: what is tried out there touches nothing of anybody. All of it goes at once, audit rows and jobs included; an unknown one is no error. Those that were left for an hour go with it.",
    rate: "write",
    changes: ["access"],
    params: TrialPath,
    reply: TrialErased,
    statuses: [200],
    refusals: ["ADMIN_REQUIRED"],
    run: (ctx, { params }) => eraseTrial(ctx, params),
  }),
];
