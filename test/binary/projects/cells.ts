import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import { MemoryPage } from "../../../src/core/schema/memory-query.ts";
import { aFolder, cleanUp, spawnServer, untilSettled } from "../../fault/server.ts";
import { cairnIn } from "../../support/command-line.ts";
import { commandLine, hook, importing } from "./doors/command-line.ts";
import { consoleApi } from "./doors/console.ts";
import type { Answer, Door } from "./doors/door.ts";
import { textOf, wordsOfNotes, wordsOfRules } from "./doors/door.ts";
import { overHttp, overStdio } from "./doors/mcp.ts";
import type { Place } from "./places.ts";
import { makePlaces } from "./places.ts";
import type { Cell, DoorName, Verb } from "./table.ts";
import { ALL_CELLS, CELLS, DOORS, expectedOf, kindOf, VERBS, voidOf } from "./table.ts";

/** Only against a hang: some two hundred processes run on however few cores. */
setDefaultTimeout(180_000);
/** Processes at once. */
const AT_ONCE = 4;

const root = aFolder();
const data = join(root, "data");
mkdirSync(data);
const server = await spawnServer({ folder: data });
const house = { data, url: `http://127.0.0.1:${server.port}`, client: server.client };
const places = await makePlaces(root, async (folder) => {
  await cairnIn(data, folder)(["project"]);
});
const [person, page] = [commandLine(house), consoleApi(house)];
const doors: Readonly<Record<DoorName, Door>> = {
  "command line": person,
  "MCP over stdio": overStdio(house),
  "MCP over HTTP": overHttp(house),
  hook: hook(house),
  import: importing(house),
  console: page,
};
afterAll(async () => {
  for (const { close } of Object.values(doors)) await close?.();
  await cleanUp();
});

const placeOf = ({ place }: Cell): Place => {
  const found = places.find(({ name }) => name === place);
  if (!found) throw new Error(`No place is ${place}.`);
  return found;
};
const isOfOne = (a: Place, b: Place): boolean =>
  a === b ||
  (typeof a.standing === "object" && typeof b.standing === "object" && a.standing.project === b.standing.project);

/** Words of places whose texts are told, where those of some are. */
function wordsOf(place: Place, whose: readonly string[]): string[] {
  const own = whose.includes("own") ? places.filter((one) => isOfOne(one, place)) : [];
  const shared = whose.includes("everyone's") ? places.filter(({ standing }) => standing === "outside") : [];
  return [...new Set([...own, ...shared].map(({ word }) => word))].sort();
}

/** What came of each cell that was run. */
const answers = new Map<string, Answer>();
const keyOf = ({ door, verb, place }: Cell): string => `${door}: ${verb} in ${place}`;
const answerOf = (cell: Cell): Answer => answers.get(keyOf(cell)) ?? { said: "it was not run", isRefused: false };

/** Does the work of many at once, a few at a time. */
async function atOnce<T>(all: readonly T[], work: (one: T) => Promise<unknown>): Promise<void> {
  const queue = [...all];
  const take = async () => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) await work(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, take));
}

const run = (cells: readonly Cell[]) =>
  atOnce(cells, async (cell) => {
    const place = placeOf(cell);
    const act = doors[cell.door].acts[cell.verb];
    if (!act) throw new Error(`${keyOf(cell)} is neither void nor done.`);
    const answer = await act(place, textOf(place, cell.door)).catch((error) => ({
      said: String(error),
      isRefused: true,
    }));
    answers.set(keyOf(cell), answer);
  });

const cellsOf = (verbs: readonly Verb[], isMeant: (door: DoorName) => boolean = () => true): Cell[] =>
  CELLS.filter(({ verb, door }) => verbs.includes(verb) && isMeant(door));

const SEEDER: DoorName = "command line";
const SEEDED = cellsOf(["write"], (door) => door === SEEDER);
const WRITTEN = cellsOf(["write"], (door) => door !== SEEDER);
const READ = cellsOf(["search", "recall", "list", "keystones", "export"]);
const FORGOTTEN = cellsOf(["forget"]);

const Rows = MemoryPage.shape.items;
type Row = z.infer<typeof Rows>[number];
const rows = async (): Promise<Row[]> =>
  (await server.client.ok(MemoryPage, "GET", "/api/v1/memories", { query: { limit: 500 } })).items;

/** Where what a cell wrote lies: a project, everyone's, or nowhere. */
const whereIs = (all: readonly Row[], text: string) => {
  const found = all.filter(({ content }) => content.includes(text));
  return found.map(({ fleet_id, visibility }) => fleet_id ?? visibility);
};
const whereWritten = ({ standing }: Place): string[] =>
  typeof standing === "object" ? [standing.project] : standing === "outside" ? ["scope_org"] : [];

function expectWritten(cell: Cell, all: readonly Row[]): void {
  const place = placeOf(cell);
  const { said, isRefused } = answerOf(cell);
  const { whose, refuses = false } = expectedOf(cell.door, cell.verb, place.standing);
  expect({ said, isRefused, lies: whereIs(all, textOf(place, cell.door)) }).toEqual({
    said,
    isRefused: refuses,
    lies: whereWritten(place),
  });
  // What a reply tells of others, such as what says nearly the same, is what may be told there.
  const seen = expectedOf(cell.door, "search", place.standing).whose;
  expect(wordsOf(place, [...whose, ...seen])).toEqual(
    expect.arrayContaining(wordsOfNotes(said).filter((word) => word !== place.word)),
  );
  if (place.standing === "outside" && cell.door !== "console") expect(said).toMatch(/everyone/i);
}

describe("the table", () => {
  test("says of each cell what it must do, or why it is void", () => {
    expect(ALL_CELLS).toHaveLength(DOORS.length * VERBS.length * places.length);
    for (const { door, verb, place } of ALL_CELLS)
      expect(doors[door].acts[verb] !== undefined || voidOf(door, verb, place) !== null).toBe(true);
  });
});

describe("what is written", () => {
  let all: readonly Row[] = [];
  beforeAll(async () => {
    await run(SEEDED);
    all = await rows();
  });
  test.each(SEEDED.map((cell) => [keyOf(cell), cell] as const))("%s", (_, cell) => expectWritten(cell, all));
});

describe("what is told", () => {
  beforeAll(async () => {
    await atOnce(places, (place) => person.setRule(place, ruleName(place)));
    // In the console the same rules are set again, each at its place.
    const chosen = places.filter((place) => kindOf(place.standing) !== "fault" && ruleName(place) === RULE_NAME);
    await atOnce(chosen, (place) => page.setRule(place, RULE_NAME));
    await untilSettled(server);
    await run(READ);
  });
  test.each(READ.map((cell) => [keyOf(cell), cell] as const))("%s", (_, cell) => {
    const place = placeOf(cell);
    const { whose, refuses, orLess } = expectedOf(cell.door, cell.verb, place.standing);
    const { said, isRefused } = answerOf(cell);
    const told = cell.verb === "keystones" ? wordsOfRules(said) : wordsOfNotes(said);
    const isWell = isRefused ? refuses === true || orLess === true : refuses !== true;
    const may = wordsOf(place, whose);
    expect({ said, told, isWell }).toEqual({
      said,
      told: orLess ? told.filter((word) => may.includes(word)) : may,
      isWell: true,
    });
  });
});

/** One name in all projects, and for everyone; of folders of one project, each sets its own. */
const ruleName = (place: Place): string =>
  places.find((one) => isOfOne(one, place)) === place ? RULE_NAME : `${RULE_NAME}-${place.word}`;
const RULE_NAME = "style";

describe("what is written at the other doors", () => {
  let all: readonly Row[] = [];
  beforeAll(async () => {
    await run(WRITTEN);
    all = await rows();
  });
  test.each(WRITTEN.map((cell) => [keyOf(cell), cell] as const))("%s", (_, cell) => expectWritten(cell, all));
});

describe("what is forgotten", () => {
  let all: readonly Row[] = [];
  const elsewhere = new Map<Place, Answer>();
  beforeAll(async () => {
    // What is another's is not reached from here.
    await atOnce(
      places.filter(({ standing }) => kindOf(standing) !== "fault"),
      async (place) => {
        const other = places.find((one) => !isOfOne(one, place) && kindOf(one.standing) !== "fault");
        if (other)
          elsewhere.set(
            place,
            (await person.acts.forget?.(place, textOf(other, SEEDER))) ?? { said: "", isRefused: true },
          );
      },
    );
    all = await rows();
    await run(FORGOTTEN);
  });
  test.each(FORGOTTEN.map((cell) => [keyOf(cell), cell] as const))("%s", async (_, cell) => {
    const text = textOf(placeOf(cell), cell.door);
    expect(whereIs(all, text)).toHaveLength(1);
    expect({ ...answerOf(cell), left: whereIs(await rows(), text) }).toMatchObject({ isRefused: false, left: [] });
  });
  test("is never another project's", () => {
    for (const [place, { said }] of elsewhere) expect(`${place.name}: ${said}`).toContain("Nothing matches");
  });
});
