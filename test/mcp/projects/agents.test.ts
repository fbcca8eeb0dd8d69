import { afterAll, describe, expect, test } from "bun:test";
import { memoriesApi } from "../../support/api/memories.ts";
import { openApp } from "../../support/in-process.ts";
import { CLIENTS, savedBy, type TestClient } from "../clients.ts";
import { legacyCalls } from "../legacy-client.ts";
import { answerOf, LOOKERS, lookedAt, wordsIn } from "./support.ts";

const { app, client: http } = await openApp();
const mcp = `${app.listen().url}/mcp`;
afterAll(() => app.stop());
const api = memoriesApi(http);

/** How an agent names itself: in a header, in an argument, or by the name of its program alone. */
const NAMED = [
  ["a header", { "x-cairn-agent": "bob" }, {}, "bob"],
  ["an argument", {}, { agent_id: "bo" }, "bo"],
  ["its program's name", {}, {}, "test-client"],
] as const;

describe.each(CLIENTS)("over %p", (connect) => {
  test.each(NAMED)("an agent named by %s works in one project as in another", async (_, headers, said, agent) => {
    const run = crypto.randomUUID().slice(0, 8);
    const places = [`first-${run}`, `second-${run}`];
    const clients: TestClient[] = [];
    const ids: string[] = [];
    for (const [at, place] of places.entries()) {
      const client = await connect(mcp, { ...headers, "x-cairn-project": place, "x-cairn-tools": "all" });
      clients.push(client);
      const notes = [`The ferry of ${place} is painted blue.`, `The crew of ${place} has ${at + 4} heads.`];
      ids.push(...savedBy(await answerOf(client, "remember", { notes, ...said })).map(({ id }) => id));
    }
    for (const [at, place] of places.entries()) {
      const [client, id] = [clients[at], ids[2 * at]];
      if (client === undefined || id === undefined) throw new Error("Nobody is there.");
      for (const tool of LOOKERS) {
        const { rows } = await lookedAt(client, tool, "Which colour is the ferry?", said);
        expect([tool, wordsIn(rows, places)]).toEqual([tool, [place]]);
      }
      expect(await answerOf(client, "get", { ids, ...said })).toMatchObject({ memories: { length: 4 }, missing: [] });
      expect(await api.get(id)).toMatchObject({ agent_id: agent, fleet_id: place });
      const corrected = await answerOf(client, "correct", {
        id,
        content: `The ferry of ${place} is red now.`,
        ...said,
      });
      expect(corrected).toMatchObject({ replaced: id });
      const gone = { ids: [corrected.id], ...said };
      expect(await answerOf(client, "forget", gone)).toMatchObject({ done: [corrected.id], refused: [] });
      expect(await answerOf(client, "forget", { ...gone, undo: true })).toMatchObject({ done: [corrected.id] });
      await answerOf(client, "contradictions", { id, ...said });
      await answerOf(client, "audit", { id });
      await answerOf(client, "keystones", { ...said });
      const older = legacyCalls(client);
      const { results } = await older.ask("recall", { query: "ferry", agent_id: agent });
      expect(JSON.stringify(results)).toContain(place);
      await client.close();
    }
  });
});
