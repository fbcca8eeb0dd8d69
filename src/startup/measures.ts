import type { Clock } from "../core/kernel/clock.ts";
import { createPace } from "../core/kernel/pace.ts";
import type { Services } from "../core/ports/context.ts";
import { createRequestCounts } from "../http/request-counts.ts";

/** What is measured from the start of the process on: how fast work goes, and what was asked. */
export const createMeasures = (clock: Clock): Pick<Services, "pace" | "requestCounts"> => ({
  pace: { embedding: createPace(), understanding: createPace() },
  requestCounts: createRequestCounts(clock),
});
