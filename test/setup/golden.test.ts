import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Harness } from "../../src/cli/setup/harness.ts";
import type { HarnessName } from "../../src/cli/setup/harnesses.ts";
import { HARNESS_NAMES, HARNESSES } from "../../src/cli/setup/harnesses.ts";
import type { SetupResult } from "../../src/cli/setup/run.ts";
import type { Wish } from "../../src/cli/setup/wish.ts";
import type { FixtureName } from "./fixtures.ts";
import { fixtureFor } from "./fixtures.ts";
import type { Sandbox } from "./support.ts";
import { sandbox } from "./support.ts";

const KEPT: readonly FixtureName[] = ["none", "blank", "empty", "full", "commented", "compact"];
const actions = ({ units }: SetupResult) => units.flatMap(({ files }) => files.map(({ action }) => action));

/** Puts a fixture, its line ends perhaps those of Windows, where the harness keeps its servers. Returns the path. */
function lay(box: Sandbox, name: HarnessName, fixture: FixtureName, { crlf = false, mark = "" } = {}): string {
  const harness: Harness = HARNESSES[name];
  const place = harness.entry(box.machine, "user");
  if (!place) throw new Error(`${name} has no file`);
  const text = fixtureFor(place, fixture);
  box.put(place.file, text && mark + (crlf ? text.replaceAll("\n", "\r\n") : text));
  return place.file;
}

/** What a set-up writes for each of some fixtures and wishes, as one text. */
async function written(name: HarnessName): Promise<string> {
  const http: Partial<Wish> = { transport: "http", key: true };
  const cases: readonly (readonly [string, FixtureName, Partial<Wish>])[] = [
    ...KEPT.map((fixture) => [`over stdio, ${fixture}`, fixture, {}] as const),
    ["over HTTP with a key, none", "none", http],
    ["over HTTP with a key, full", "full", http],
  ];
  const parts: string[] = [];
  for (const [title, fixture, wish] of cases) {
    using box = sandbox();
    lay(box, name, fixture);
    await box.run(name, wish);
    for (const [file, text] of Object.entries(box.all())) parts.push(`===== ${title}: ${file}\n${text}`);
  }
  return parts.join("\n");
}

for (const name of HARNESS_NAMES) {
  describe(`cairn setup ${name}`, () => {
    test("writes what the golden file says", async () => {
      const file = join(import.meta.dir, "golden", `${name}.txt`);
      const text = await written(name);
      // `GOLDEN=write bun test test/setup` writes them anew; read the difference before it is kept.
      if (process.env.GOLDEN === "write") writeFileSync(file, text);
      expect(text).toBe(readFileSync(file, "utf8"));
    });

    for (const fixture of KEPT) {
      for (const options of [{}, { crlf: true }, { mark: "\uFEFF" }]) {
        for (const transport of ["stdio", "http"] as const) {
          const title = `${fixture} ${transport} ${JSON.stringify(options)}`;
          test(`a second run changes nothing, and --remove gives back the bytes of before: ${title}`, async () => {
            using box = sandbox();
            lay(box, name, fixture, options);
            const before = box.all();
            expect(actions(await box.run(name, { transport }))).not.toContain("failed");
            const after = box.all({ backups: true });
            expect(box.all()).not.toEqual(before);
            expect(new Set(actions(await box.run(name, { transport })))).toEqual(new Set(["unchanged"]));
            expect(box.all({ backups: true })).toEqual(after);
            await box.run(name, { remove: true });
            // Neither a file nor a backup is left over.
            expect(box.all({ backups: true })).toEqual(before);
          });
        }
      }
    }

    test("line ends of Windows stay those of Windows", async () => {
      using box = sandbox();
      const file = lay(box, name, "full", { crlf: true });
      await box.run(name);
      expect(readFileSync(file, "utf8")).not.toMatch(/(?<!\r)\n/);
    });

    test("going over to HTTP and back again leaves one entry, and --remove the bytes of before", async () => {
      using box = sandbox();
      lay(box, name, "commented");
      const before = box.all();
      await box.run(name);
      const first = box.all();
      await box.run(name, { transport: "http", key: true });
      expect(box.all()).not.toEqual(first);
      await box.run(name);
      expect(box.all()).toEqual(first);
      await box.run(name, { remove: true });
      expect(box.all({ backups: true })).toEqual(before);
    });

    test("a file that does not parse is left as it is, with line and column, and nothing else is written", async () => {
      using box = sandbox();
      const file = lay(box, name, "broken");
      const before = box.all();
      const { units } = await box.run(name);
      expect(box.all({ backups: true })).toEqual(before);
      expect(units[0]?.files[0]).toMatchObject({ file, action: "failed" });
      expect(units[0]?.files[0]?.fault).toMatch(/line \d+, column \d+: .+ left as it is/);
    });

    test("after somebody changed the file, --remove takes out ours and keeps the change", async () => {
      using box = sandbox();
      const file = lay(box, name, "full");
      const before = readFileSync(file, "utf8");
      await box.run(name);
      box.put(file, readFileSync(file, "utf8").replace('"docs-server"', '"other-server"'));
      await box.run(name, { remove: true });
      expect(readFileSync(file, "utf8")).toBe(before.replace('"docs-server"', '"other-server"'));
    });
  });
}
