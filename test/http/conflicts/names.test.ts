import { afterAll, expect, test } from "bun:test";
import { contradictionsApi, DEMOTED } from "../../support/api/contradictions.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";

// A verdict must not hang on a name: common ones, rare ones and such as nobody has fare alike.
const app = await startApp({ embedder: "onnx" });
afterAll(() => app.stop());
const api = { ...memoriesApi(app.client), ...contradictionsApi(app.client) };
const HANG_GUARD_MS = 240_000;

const NAMES: Readonly<Record<string, readonly string[]>> = {
  common: ["Anna", "Peter", "Maria", "John", "Sofia", "David", "Emma", "Ali", "Julia", "Carlos"],
  rare: ["Oluwaseyi", "Thorgunna", "Xiadani", "Zbigniew", "Wiremu", "Saoirse", "Tuuli", "Mehrangiz", "Ximo", "Nkechi"],
  invented: ["Quorvex", "Tamsilde", "Brivnok", "Zeluri", "Ythomar", "Plonda", "Veskra", "Omblith", "Jarrune", "Ketwyn"],
};
const SERVICES = [
  "billing",
  "search",
  "checkout",
  "mail",
  "orchid-gateway",
  "zeph-ingest",
  "quorl-sync",
  "vantor",
  "plim-api",
  "droskel",
];

let fleets = 0;
/** Whether the second of two memories is found to overtake the first, in a fleet of their own. */
async function write(older: string, newer: string) {
  const fleet_id = `fleet-${++fleets}`;
  const first = await api.write(older, { fleet_id });
  const second = await api.write(newer, { fleet_id });
  return async () => {
    while ((await api.contradictions(second.id)).checked_at === null) await app.settle();
    return DEMOTED.includes((await api.get(first.id)).status);
  };
}
const count = async (pending: readonly (() => Promise<boolean>)[]): Promise<number> => {
  let found = 0;
  for (const isFound of pending) if (await isFound()) found++;
  return found;
};

test.each(Object.entries(NAMES))(
  "a move is found for every one of some %s names, and for none where it is another's or the same",
  async (_, names) => {
    const moves = await Promise.all(
      names.map((name) => write(`${name} lives in Paris.`, `${name} lives in Berlin now.`)),
    );
    const others = await Promise.all(
      names.map((name, i) => write(`${name} lives in Paris.`, `${names.at(i - 1)} lives in Berlin now.`)),
    );
    const same = await Promise.all(
      names.map((name) => write(`${name} lives in Paris.`, `${name} still lives in Paris.`)),
    );
    expect([await count(moves), await count(others), await count(same)]).toEqual([names.length, 0, 0]);
  },
  HANG_GUARD_MS,
);

test(
  "another region of a service is found for every service, another service's for none",
  async () => {
    const runs = (name: string, region: string) => `The ${name} service runs in region ${region}.`;
    const moved = await Promise.all(SERVICES.map((name) => write(runs(name, "eu-west-1"), runs(name, "us-east-2"))));
    const others = await Promise.all(
      SERVICES.map((name, i) => write(runs(name, "eu-west-1"), runs(SERVICES.at(i - 1) ?? "", "us-east-2"))),
    );
    expect([await count(moved), await count(others)]).toEqual([SERVICES.length, 0]);
  },
  HANG_GUARD_MS,
);
