import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { hashEmbedder } from "../../src/ai/models/hash-embedder.ts";
import type { Memory } from "../../src/core/schema/memory.ts";
import { aFolder, cleanUp, spawnServer, until } from "../fault/server.ts";
import { contradictionsApi } from "../support/api/contradictions.ts";
import { fakeClock } from "../support/clock.ts";
import { cairnIn, cairnOnTerminal } from "../support/command-line.ts";
import { openApp } from "../support/in-process.ts";
import { aPair, judgeBy } from "../support/possible.ts";

afterAll(cleanUp);
const LONG = 60_000;

const aPool = (hour: string): string => `The pool of the harbour hotel opens at ${hour}.`;
const aLift = (hour: string): string => `The lift of the old tower stops at ${hour}.`;

describe.each(["running server", "folder alone"])("with a %s", (place) => {
  const data = aFolder();
  const nowhere = join(aFolder());
  const here = cairnIn(data, nowhere);
  const terminal = cairnOnTerminal(data, nowhere);
  const add = async (...words: string[]): Promise<string> => (await here(["add", ...words])).out;
  beforeAll(async () => {
    if (place === "running server") await spawnServer({ folder: data });
  });

  test(
    "what was retired and what waits for a decision is listed, counted, decided and undone",
    async () => {
      const nothing = await here(["contradictions"]);
      expect([nothing.out, nothing.err]).toEqual(["", expect.stringContaining("No conflict is open.")]);
      const retired = await add(aPool("six"), "--valid-from", "2026-01-01");
      const said = await terminal(["add", aPool("nine"), "--valid-from", "2026-03-01"]);
      expect(said).toContain(`"${aPool("six")}" is outdated now`);
      expect(said).toContain(`cairn contradictions ${retired} --undo`);
      const waiting = await add(aLift("ten"));
      await here(["add", aLift("eleven"), "--wait"]);

      const { out, err } = await here(["contradictions"]);
      const rows = out.split("\n").map((line) => line.split("\t"));
      expect(rows.map(([id, , status, text, , newer]) => [id, status, text, newer])).toEqual([
        [waiting, "conflicted", aLift("ten"), aLift("eleven")],
        [retired, "outdated", aPool("six"), aPool("nine")],
      ]);
      expect(err).toContain("1 waits for a decision, 1 retired and not reviewed, 0 possible.");
      expect(JSON.parse((await here(["contradictions", "--json"])).out)).toMatchObject({
        project: null,
        open_count: 2,
        waiting_count: 1,
        possible_count: 0,
        items: [{ older: { id: waiting } }, { older: { id: retired } }],
      });
      if (place === "running server") {
        expect((await here(["status"])).out).toMatch(/^Conflicts +1 waits for a decision, 1 retired/m);
        expect(JSON.parse((await here(["status", "--json"])).out)).toMatchObject({
          conflicts: { open_count: 2, waiting_count: 1, possible_count: 0 },
        });
      }

      await here(["contradictions", waiting, "--accept"]);
      expect(await here(["contradictions", retired, "--undo"])).toMatchObject({ out: `${retired} is active now.` });
      expect((await here(["contradictions"])).err).toContain("No conflict is open.");
      const all = (await here(["contradictions", "--all"])).out.split("\n").map((line) => line.split("\t"));
      expect(all.map(([id, , status, review]) => [id, status, review])).toEqual([
        [waiting, "outdated", "accepted"],
        [retired, "active", "both_stand"],
      ]);
      expect(await here(["contradictions", retired, "--all"])).toMatchObject({ code: 2 });
    },
    LONG,
  );

  test(
    "a memory that is older than what is known says that it is outdated at once, and the terminal lists both texts",
    async () => {
      await add("The bakery in Hill Street closes at four.", "--valid-from", "2026-05-01");
      const said = await terminal(["add", "The bakery in Hill Street closes at two.", "--valid-from", "2026-02-01"]);
      expect(said).toMatch(/It is outdated at once: newer is "The bakery in Hill Street closes at four\."/);
      expect(await terminal(["contradictions"])).toMatch(/ID +FOUND +STATUS[\s\S]*outdated +The bakery.* +The bakery/);
    },
    LONG,
  );

  test(
    "a project lists its own and what is shared beyond it",
    async () => {
      for (const project of ["red", "blue"]) {
        await add(`The ${project} door code is 1234.`, "--project", project);
        await here(["add", `The ${project} door code is 9876.`, "--project", project, "--wait"]);
      }
      await add("The canteen of the office opens at six.");
      await here(["add", "The canteen of the office opens at nine.", "--wait"]);
      const { out } = await here(["contradictions", "--project", "red"]);
      expect([out.includes("red door"), out.includes("blue door"), out.includes("canteen")]).toEqual([
        true,
        false,
        true,
      ]);
    },
    LONG,
  );
});

test(
  "what was retired long ago is counted, and listed with --all; what waits for a decision is listed for good",
  async () => {
    const clock = fakeClock("2020-06-01T12:00:00.000Z");
    const { app, client, settle } = await openApp({ clock });
    const api = contradictionsApi(client, "default");
    try {
      const here = cairnIn(aFolder(), aFolder(), { CAIRN_URL: app.listen().url });
      const retired = await api.write(aPool("six"), { ts_valid_start: "2020-01-01T00:00:00Z" });
      await api.write(aPool("nine"), { ts_valid_start: "2020-03-01T00:00:00Z" });
      const waiting = await api.write(aLift("ten"));
      await api.write(aLift("eleven"));
      await settle();
      const { out, err } = await here(["contradictions"]);
      expect([out.includes(waiting.id), out.includes(retired.id)]).toEqual([true, false]);
      expect(err).toContain("1 more was retired earlier: `cairn contradictions --all`.");
      const all = (await here(["contradictions", "--all"])).out;
      expect([all.includes(waiting.id), all.includes(retired.id)]).toEqual([true, true]);
    } finally {
      await app.stop();
    }
  },
  LONG,
);

describe("what may have changed", () => {
  /** Two memories of which the older one may have changed, on a server of their own, for a test. */
  async function aPossible(
    status: string,
    check: (found: {
      readonly here: ReturnType<typeof cairnIn>;
      readonly older: Memory;
      readonly newer: Memory;
    }) => Promise<void>,
  ): Promise<void> {
    const texts = await aPair("Ebersbach");
    const judge = judgeBy(() => texts.scores.possible);
    const clock = fakeClock("2020-06-01T12:00:00.000Z");
    const { app, client, settle } = await openApp({ clock, embedder: hashEmbedder(), judge });
    const { write } = contradictionsApi(client, "default");
    try {
      const older = await write(texts.older, { status });
      clock.advance(1_000);
      const newer = await write(texts.newer);
      await settle();
      const folder = aFolder();
      await check({ here: cairnIn(folder, folder, { CAIRN_URL: app.listen().url }), older, newer });
    } finally {
      await app.stop();
    }
  }
  const rowsOf = (out: string) => out.split("\n").map((line) => line.split("\t"));

  test(
    "is listed as possible for good, counted, and shown by either memory",
    () =>
      aPossible("active", async ({ here, older, newer }) => {
        const { out, err } = await here(["contradictions"]);
        expect(rowsOf(out).map(([id, , status, text, , other]) => [id, status, text, other])).toEqual([
          [older.id, "possible", older.content, newer.content],
        ]);
        expect(err).toContain("0 wait for a decision, 0 retired and not reviewed, 1 possible.");
        expect(JSON.parse((await here(["contradictions", "--json"])).out)).toMatchObject({ possible_count: 1 });
        expect((await here(["status"])).out).toMatch(/^Conflicts +.*, 1 possible\./m);
        const ofOlder = await here(["contradictions", older.id]);
        expect(ofOlder.out).toContain(`may have changed by: ${newer.content}`);
        expect(ofOlder.err).toContain("--undo");
        expect((await here(["contradictions", newer.id])).out).toContain(`may have changed: ${older.content}`);
      }),
    LONG,
  );

  test.each([
    ["--accept", "active", "outdated", "accepted"],
    ["--accept", "confirmed", "outdated", "accepted"],
    ["--keep", "active", "confirmed", "both_stand"],
    ["--keep", "confirmed", "confirmed", "both_stand"],
    ["--undo", "active", "active", "both_stand"],
    ["--undo", "confirmed", "active", "both_stand"],
  ])(
    "is decided with %s where the older memory is %s",
    (flag, before, status, state) =>
      aPossible(before, async ({ here, older }) => {
        expect((await here(["contradictions", older.id, flag])).out).toBe(`${older.id} is ${status} now.`);
        expect((await here(["contradictions"])).err).toContain("No conflict is open.");
        const all = rowsOf((await here(["contradictions", "--all"])).out);
        expect(all.map(([id, , now, review]) => [id, now, review])).toEqual([[older.id, status, state]]);
      }),
    LONG,
  );

  test(
    "is told by a hook beside the older memory",
    () =>
      aPossible("active", async ({ here, older, newer }) => {
        const input = JSON.stringify({ session_id: "s", cwd: aFolder() });
        const told = `id ${older.id}, may have changed by id ${newer.id} "${newer.content}"] ${older.content}`;
        // A hook has a quarter of a second, which a busy machine may not give it.
        await until("the hook tells", async () => {
          const { out } = await here(["hook", "session-start", "--harness", "claude"], input);
          return out !== "" && JSON.stringify(JSON.parse(out)).includes(JSON.stringify(told).slice(1, -1));
        });
      }),
    LONG,
  );
});
