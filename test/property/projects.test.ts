import { afterAll, test } from "bun:test";
import fc from "fast-check";
import { GATEWAY, viaGateway } from "../support/credentials.ts";
import { openApp } from "../support/in-process.ts";
import { isPostgres } from "../support/postgres/engine.ts";
import { step } from "./projects/steps.ts";
import { walkThrough } from "./projects/walk.ts";

const RUNS = isPostgres ? 6 : 25;
const HANG_GUARD_MS = 180_000;
/** What is left of walks, or of finding a shorter one that fails, is left out where the machine is slow. */
const TIME_LIMIT_MS = 100_000;

const { app, client, settle } = await openApp({ flags: [GATEWAY] });
afterAll(() => app.stop());

test(
  "no text of a project is ever told in another, and each is told in its own",
  async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30, size: "max" }), async (steps) => {
        const tenant = `walk-${++run}`;
        const admin = client.as({ ...viaGateway(tenant), "X-Org-Role": "admin" });
        const { take, look } = walkThrough(admin, tenant, settle);
        for (const one of steps) await take(one);
        await look();
      }),
      { numRuns: RUNS, interruptAfterTimeLimit: TIME_LIMIT_MS },
    );
  },
  HANG_GUARD_MS,
);
