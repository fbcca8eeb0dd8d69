import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { aFolder, cleanUp, spawnServer } from "../fault/server.ts";
import { cairnIn, cairnOnTerminal } from "../support/command-line.ts";

afterAll(cleanUp);
const LONG = 60_000;
const data = aFolder();
const plain = join(aFolder(), "nowhere");
let url = "";
let here: ReturnType<typeof cairnIn>;
beforeAll(async () => {
  mkdirSync(plain, { recursive: true });
  const { port } = await spawnServer({ folder: data });
  url = `http://127.0.0.1:${port}`;
  here = cairnIn(data, plain);
}, LONG);

/** An editor in which somebody writes a text while somebody else changes the memory, where that is asked for. */
async function anEditor(id: string, meanwhile: string | null): Promise<string> {
  const path = join(plain, "editor.ts");
  const rival =
    meanwhile === null
      ? ""
      : `await fetch("${url}/api/v1/memories/${id}?tenant_id=default", {
    method: "PATCH", headers: { "Content-Type": "application/json" }, body: ${JSON.stringify(JSON.stringify({ content: meanwhile }))} });`;
  await Bun.write(path, `${rival}\nawait Bun.write(process.argv[2], "The rudder is of steel, says the editor.");\n`);
  chmodSync(path, 0o700);
  return `${process.execPath} ${path}`;
}

test(
  "a text written in an editor does not overwrite what somebody else changed meanwhile, and is kept",
  async () => {
    const id = (await here(["add", "The rudder is of wood."])).out;
    const stale = cairnOnTerminal(data, plain, { EDITOR: await anEditor(id, "The rudder is of bronze.") });
    const shown = (await stale(["edit", id])).replaceAll(/\s+/g, " ");
    expect(shown).toContain("(PRECONDITION_FAILED)");
    const [, kept = ""] = /kept in (\S+memory\.md)/.exec(shown) ?? [];
    expect((await Bun.file(kept).text()).trim()).toBe("The rudder is of steel, says the editor.");
    expect((await here(["get", id])).out).toContain("bronze");
    const alone = cairnOnTerminal(data, plain, { EDITOR: await anEditor(id, null) });
    expect(await alone(["edit", id])).toContain("It says now: The rudder is of steel");
    expect((await here(["history", id])).out).toMatch(
      /said until then \[\S+\]: The rudder is of bronze\.[\s\S]*of wood/,
    );
  },
  LONG,
);
