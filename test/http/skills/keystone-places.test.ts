import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { z } from "zod";
import { AuditLog } from "../../../src/core/schema/account.ts";
import { Keystone, KeystoneRemoved, KeystoneWritten } from "../../../src/core/schema/keystone.ts";
import { KeystoneProposal, KeystoneProposalList } from "../../../src/core/schema/keystone-proposal.ts";
import type { CallOptions, Client } from "../../support/api/client.ts";
import { withKey } from "../../support/api/documents.ts";
import { startApp } from "../../support/app.ts";

const app = await startApp();
afterAll(() => app.stop());
const { client } = app;
const KEYSTONES = "/api/v1/keystones";
const PROPOSALS = "/api/v1/keystone-proposals";

type Fields = Readonly<Record<string, unknown>>;
const EVERYONE = { scope: "tenant" } as const;
const of = (fleet_id: string) => ({ scope: "fleet", fleet_id }) as const;
const agentIn = (agent_id: string, fleet_id?: string) =>
  ({ scope: "agent", agent_id, ...(fleet_id === undefined ? {} : { fleet_id }) }) as const;
const aRule = (content: string, place: Fields, more: Fields = {}): Fields => ({
  ...{ doc_id: "style", title: "Style", content, weight: "med" },
  ...place,
  ...more,
});
const plainly = (content: string, place: Fields, by: Client = client) =>
  by.ok(KeystoneWritten, "POST", KEYSTONES, { body: aRule(content, place) });
const beside = (content: string, place: Fields, by: Client = client) =>
  by.ok(KeystoneWritten, "POST", KEYSTONES, { body: aRule(content, place, { place: true }) });
const textsOf = (rules: readonly { readonly data: { readonly content: string } }[]) =>
  rules.map(({ data }) => data.content).sort();
const list = async (query: CallOptions["query"] = {}) => {
  const rules = await client.ok(z.array(Keystone), "GET", KEYSTONES, { query });
  expect(rules.every(({ doc_id }) => doc_id === "style")).toBe(true);
  return textsOf(rules);
};
const rows = () =>
  client.ok(z.array(Keystone), "POST", "/api/v1/documents/query", { body: { collection: "_keystones" } });
const remove = (query: CallOptions["query"] = {}, by: Client = client) =>
  by.ok(KeystoneRemoved, "DELETE", `${KEYSTONES}/style`, { query });
const refusedRemoval = (query: CallOptions["query"] = {}, by: Client = client) =>
  by.refused("DELETE", `${KEYSTONES}/style`, { query });

beforeEach(async () => {
  const places = (found: readonly { fleet_id: string | null; data: { scope: string; agent_id?: string } }[]) =>
    found.map(({ fleet_id, data: { scope, agent_id } }) => ({
      scope,
      ...(fleet_id === null ? {} : { fleet_id }),
      ...(agent_id === undefined ? {} : { agent_id }),
      place: true,
    }));
  for (const query of places(await rows())) await remove(query);
  const { items } = await client.ok(KeystoneProposalList, "GET", PROPOSALS);
  for (const { place } of items)
    await client.call("POST", `${PROPOSALS}/style/dismiss`, { body: { ...place, place: true } });
});

describe("a name that is set for everyone and in two projects", () => {
  beforeEach(async () => {
    expect(await beside("Everyone's.", EVERYONE)).toMatchObject({ doc_id: "style", replaced: null });
    expect(await beside("Red's.", of("red"))).toMatchObject({ doc_id: "style", replaced: null });
    expect(await beside("Blue's.", of("blue"))).toMatchObject({ doc_id: "style", replaced: null });
  });

  test("stands three times, and none hides another", async () => {
    expect(await list()).toEqual(["Everyone's."]);
    expect(await list({ fleet_id: "red" })).toEqual(["Everyone's.", "Red's."]);
    expect(await list({ fleet_id: "blue" })).toEqual(["Blue's.", "Everyone's."]);
    expect((await rows()).map(({ doc_id }) => doc_id)).toEqual(["style", "style", "style"]);
  });

  test("is replaced where it is set again, and the reply says what it replaces", async () => {
    const again = await beside("Red's, again.", of("red"));
    expect(again.replaced).toMatchObject({ id: again.id, fleet_id: "red", data: { content: "Red's." } });
    expect(textsOf(await rows())).toEqual(["Blue's.", "Everyone's.", "Red's, again."]);
  });

  test("is removed where that is said, and nowhere else", async () => {
    const { removed } = await remove({ ...of("red"), place: true });
    expect(removed).toMatchObject({ doc_id: "style", data: { content: "Red's." } });
    expect(textsOf(await rows())).toEqual(["Blue's.", "Everyone's."]);
    expect(await remove(EVERYONE)).toEqual({ deleted: true, doc_id: "style" });
    expect(await remove()).toEqual({ deleted: true, doc_id: "style" });
    expect(await rows()).toEqual([]);
  });

  test("is not removed where it is not said which, and the places are told", async () => {
    const { status, body } = await refusedRemoval();
    expect([status, body.error.code]).toEqual([409, "CONFLICT"]);
    expect(body.error.details).toEqual({
      places: [
        { scope: "tenant", fleet_id: null, agent_id: null },
        { scope: "fleet", fleet_id: "red", agent_id: null },
        { scope: "fleet", fleet_id: "blue", agent_id: null },
      ],
    });
    expect((await refusedRemoval({ scope: "fleet" })).body.error.details?.places).toHaveLength(2);
    expect(await rows()).toHaveLength(3);
  });

  test("is not found where it does not stand, and where it does is told", async () => {
    const { status, body } = await refusedRemoval({ ...of("green"), place: true });
    expect([status, body.error.code]).toEqual([404, "NOT_FOUND"]);
    expect(body.error.details?.places).toHaveLength(3);
    expect((await refusedRemoval({ ...agentIn("ada", "red"), place: true })).status).toBe(404);
    expect(await rows()).toHaveLength(3);
  });

  test("is replaced at its place by whoever says nothing of others, and else stands beside them", async () => {
    expect(await plainly("Red's, again.", of("red"))).not.toHaveProperty("replaced");
    await plainly("Green's.", of("green"));
    expect(textsOf(await rows())).toEqual(["Blue's.", "Everyone's.", "Green's.", "Red's, again."]);
  });

  test("is locked where that is said", async () => {
    const lock = (body: Fields) => client.call("POST", `${KEYSTONES}/style/lock`, { body });
    expect((await lock({ locked: true })).status).toBe(409);
    expect(await lock({ locked: true, ...of("red") })).toMatchObject({ status: 200, body: { fleet_id: "red" } });
    const locked = (await rows()).filter(({ data }) => data.locked === true);
    expect(textsOf(locked)).toEqual(["Red's."]);
    const key = await withKey(client, { trust: 3 });
    expect((await key.refused("POST", KEYSTONES, { body: aRule("No.", of("red"), { place: true }) })).status).toBe(403);
    expect(await beside("Yes.", of("blue"), key)).toMatchObject({ replaced: { data: { content: "Blue's." } } });
  });

  test("is read by its name as long as it stands anywhere", async () => {
    await remove(EVERYONE);
    const read = await client.ok(Keystone, "GET", "/api/v1/documents/style", { query: { collection: "_keystones" } });
    expect([read.doc_id, read.data.content]).toEqual(["style", "Red's."]);
    await beside("Everyone's, anew.", EVERYONE);
    expect(textsOf(await rows())).toEqual(["Blue's.", "Everyone's, anew.", "Red's."]);
  });

  test("is told with its place in the audit log", async () => {
    const query = { target_id: "_keystones/style", limit: 3 };
    const { items } = await client.ok(AuditLog, "GET", "/api/v1/audit-log", { query });
    expect(items.map(({ after }) => after?.place)).toEqual([
      { scope: "fleet", fleet_id: "blue", agent_id: null },
      { scope: "fleet", fleet_id: "red", agent_id: null },
      { scope: "tenant", fleet_id: null, agent_id: null },
    ]);
  });

  test("is as it was in another Cairn", async () => {
    const records = await client.ok(z.array(z.looseObject({ record: z.string() })), "GET", "/api/v1/export");
    const rules = records.filter(({ record }) => record === "keystone");
    expect(rules.map(({ doc_id }) => doc_id)).toEqual(["style", "style", "style"]);
    await remove(of("red"));
    await plainly("Blue's, changed.", of("blue"));
    const body = { records: rules, trust_source: true };
    const imported = await client.call("POST", "/api/v1/import", { body });
    expect(imported.body).toMatchObject({
      results: [{ outcome: "exists" }, { outcome: "created" }, { outcome: "different" }],
    });
    expect(textsOf(await rows())).toEqual(["Blue's, changed.", "Everyone's.", "Red's."]);
  });
});

describe("a name that stands once", () => {
  test("is replaced wherever it stands, place included, by whoever says nothing of others", async () => {
    const first = await beside("Red's.", of("red"));
    const moved = await plainly("Everyone's.", EVERYONE);
    expect(moved).toMatchObject({ id: first.id, fleet_id: null, data: { scope: "tenant" } });
    expect(moved).not.toHaveProperty("replaced");
    await beside("Red's, anew.", of("red"));
    expect(textsOf(await rows())).toEqual(["Everyone's.", "Red's, anew."]);
  });

  test("may move to any place and back, beside those that come", async () => {
    await beside("1", of("red"));
    await beside("2", of("blue"));
    await remove({ ...of("red"), place: true });
    await plainly("3", of("red"));
    await beside("4", of("blue"));
    await beside("5", EVERYONE);
    await remove({ ...of("blue"), place: true });
    await beside("6", of("blue"));
    await beside("7", of("red"));
    expect(textsOf(await rows())).toEqual(["5", "6", "7"]);
    expect(await list({ fleet_id: "red" })).toEqual(["5", "7"]);
  });

  test("is one rule a place, however many write at once", async () => {
    const places = [EVERYONE, of("red"), of("blue"), agentIn("ada", "red"), agentIn("ada")];
    await Promise.all(
      Array.from({ length: 40 }, (_, i) => beside(`Text ${i}.`, places[i % places.length] ?? EVERYONE)),
    );
    expect(await rows()).toHaveLength(places.length);
  });

  test("is one row where all say nothing of others", async () => {
    const places = [EVERYONE, of("red"), of("blue")];
    await Promise.all(Array.from({ length: 30 }, (_, i) => plainly(`Text ${i}.`, places[i % 3] ?? EVERYONE)));
    expect(await rows()).toHaveLength(1);
  });
});

describe("a rule of one agent", () => {
  test("binds it everywhere where it names no project, and in one beside that", async () => {
    await beside("Ada, everywhere.", agentIn("ada"));
    await beside("Ada in red.", agentIn("ada", "red"));
    await beside("Bob in red.", agentIn("bob", "red"));
    expect(await list({ agent_id: "ada" })).toEqual(["Ada, everywhere."]);
    expect(await list({ agent_id: "ada", fleet_id: "red" })).toEqual(["Ada in red.", "Ada, everywhere."]);
    expect(await list({ agent_id: "ada", fleet_id: "blue" })).toEqual(["Ada, everywhere."]);
    expect(await list({ agent_id: "bob", fleet_id: "red" })).toEqual(["Bob in red."]);
    expect(await list({ fleet_id: "red" })).toEqual([]);
    expect((await refusedRemoval({ agent_id: "ada", fleet_id: "green" })).status).toBe(404);
    expect((await remove({ ...agentIn("ada"), place: true })).removed?.data.content).toBe("Ada, everywhere.");
    expect(textsOf(await rows())).toEqual(["Ada in red.", "Bob in red."]);
  });

  test("needs its project, unless it is set at its place", async () => {
    expect((await client.refused("POST", KEYSTONES, { body: aRule("No.", agentIn("ada")) })).status).toBe(422);
    const nobody = aRule("No.", { scope: "agent", place: true });
    expect((await client.refused("POST", KEYSTONES, { body: nobody })).status).toBe(422);
  });

  test("is its own to change, and those beside it are not", async () => {
    const ada = await withKey(client, { agent_id: "ada", fleet_id: "red", trust: 1 });
    await beside("Everyone's.", EVERYONE);
    await beside("Ada, of herself.", agentIn("ada", "red"), ada);
    await beside("Ada, everywhere.", agentIn("ada"), ada);
    expect((await ada.refused("POST", KEYSTONES, { body: aRule("No.", EVERYONE, { place: true }) })).status).toBe(403);
    expect((await refusedRemoval(EVERYONE, ada)).status).toBe(403);
    await remove(agentIn("ada"), ada);
    await remove({ ...agentIn("ada", "red"), place: true }, ada);
    expect(textsOf(await rows())).toEqual(["Everyone's."]);
  });
});

describe("proposals of one name", () => {
  const propose = (body: Fields) =>
    client.ok(KeystoneProposal, "POST", PROPOSALS, { body: { doc_id: "style", ...body } });
  const ruleAt = (content: string, place: Fields, more: Fields = {}) => {
    const { doc_id: _name, ...rule } = aRule(content, place, more);
    return { rule };
  };

  test("wait each for its place, and each changes its own rule", async () => {
    await beside("Everyone's.", EVERYONE);
    await beside("Red's.", of("red"));
    const blue = await propose(ruleAt("Blue's.", of("blue"), { place: true }));
    expect(blue).toMatchObject({ change: "new", place: { fleet_id: "blue" }, current: null });
    const red = await propose(ruleAt("Red's, changed.", of("red"), { place: true }));
    expect(red).toMatchObject({ doc_id: "style", change: "change", current: { data: { content: "Red's." } } });
    const gone = await propose({ rule: null, ...EVERYONE });
    expect(gone).toMatchObject({ change: "removal", current: { data: { content: "Everyone's." } } });
    const { count } = await client.ok(KeystoneProposalList, "GET", PROPOSALS);
    expect(count).toBe(3);
    const accept = (version: string, place: Fields = {}) =>
      client.call("POST", `${PROPOSALS}/style/accept`, { body: { version, ...place } });
    expect(await accept(red.version)).toMatchObject({
      status: 409,
      body: { error: { details: { places: [{}, {}, {}] } } },
    });
    for (const { version, place } of [blue, red, gone])
      expect(await accept(version, { ...place, place: true })).toMatchObject({ status: 200 });
    expect(textsOf(await rows())).toEqual(["Blue's.", "Red's, changed."]);
  });

  test("that say nothing of others are one, and change the only rule", async () => {
    await plainly("Everyone's.", EVERYONE);
    await propose(ruleAt("Red's.", of("red")));
    const { version, current } = await propose(ruleAt("Blue's.", of("blue")));
    expect(current?.data.content).toBe("Everyone's.");
    expect((await client.ok(KeystoneProposalList, "GET", PROPOSALS)).count).toBe(1);
    await client.call("POST", `${PROPOSALS}/style/accept`, { body: { version } });
    expect(await rows()).toMatchObject([{ fleet_id: "blue", data: { content: "Blue's." } }]);
  });

  test("for the removal of one of several say which", async () => {
    await beside("Everyone's.", EVERYONE);
    await beside("Red's.", of("red"));
    const body = { doc_id: "style", rule: null };
    expect((await client.refused("POST", PROPOSALS, { body })).status).toBe(409);
    expect((await client.refused("POST", PROPOSALS, { body: { ...body, ...of("blue"), place: true } })).status).toBe(
      404,
    );
    const { version } = await propose({ rule: null, ...of("red") });
    await client.call("POST", `${PROPOSALS}/style/accept`, { body: { version } });
    expect(textsOf(await rows())).toEqual(["Everyone's."]);
  });
});
