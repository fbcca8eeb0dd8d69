import { afterAll, expect, test } from "bun:test";
import { platform } from "node:os";
import { createAuthor } from "../../../scripts/bench/text.ts";
import { Status } from "../../../src/core/schema/system.ts";
import { privateBytes } from "../../support/resident.ts";
import { aFolder, cleanUp, spawnServer, until, untilSettled } from "../server.ts";

const ROWS = 100;
const SEARCHES = 50;
/** Half a minute in the quiet, looked at in so many steps. */
const [QUIET_STEPS, STEP_MS] = [30, 1_000];
/** How often it is looked at what the process holds at most while it works. */
const LOOK_MS = 50;
/**
 * Of what the process held at most in the load: at its end, a part of that may have gone back by chance. Models, compiled
 * code and what is remembered for the next calls stay, .7 to .8 of it; more on a machine where the load was slower.
 */
const KEPT_SHARE = 0.9;
const LIMIT_MS = 180_000;

afterAll(cleanUp);

// Linux tells what a process holds.
test.if(platform() === "linux")(
  "memory that a load took goes back in the quiet after it",
  async () => {
    const server = await spawnServer({ folder: aFolder(), embedder: "onnx" });
    const { call, ok } = server.client;
    await until("the model is ready", async () => {
      const { embedding } = await ok(Status, "GET", "/api/v1/status");
      return embedding.phase === "ready";
    });
    const author = createAuthor(1);
    let most = 0;
    const looks = setInterval(() => {
      most = Math.max(most, privateBytes(server.pid));
    }, LOOK_MS);
    await call("POST", "/api/v1/memories/bulk", { body: { tenant_id: "default", items: author.rows(ROWS) } });
    await untilSettled(server);
    for (const query of author.questions(SEARCHES))
      await call("POST", "/api/v1/search", { body: { tenant_id: "default", query } });
    clearInterval(looks);
    let least = most;
    for (let step = 0; step < QUIET_STEPS && least > KEPT_SHARE * most; step++) {
      await Bun.sleep(STEP_MS);
      least = Math.min(least, privateBytes(server.pid));
    }
    expect(least / most).toBeLessThanOrEqual(KEPT_SHARE);
    const { status } = await call("POST", "/api/v1/search", { body: { tenant_id: "default", query: "who?" } });
    expect(status).toBe(200);
  },
  LIMIT_MS,
);
