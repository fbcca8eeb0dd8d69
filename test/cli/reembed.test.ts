import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { ReembedState } from "../../src/core/schema/keeping/reembed.ts";
import { cleanUp, runToEnd, spawnServer } from "../fault/server.ts";
import { temporaryFolder } from "../support/app.ts";
import { cairnIn } from "../support/command-line.ts";
import { makeModelFolder } from "../support/model-folders.ts";

const root = temporaryFolder();
const data = join(root.path, "data");
const models = join(root.path, "models");
const cairn = cairnIn(data, root.path, { CAIRN_MODELS: models });
const SLOW_MS = 120_000;
afterAll(async () => {
  await cleanUp();
  root.remove();
});

const shown = async (): Promise<ReembedState> =>
  ReembedState.parse(JSON.parse((await cairn(["reembed", "--json"])).out));

describe("cairn reembed", () => {
  beforeAll(async () => {
    makeModelFolder(join(models, "mine"));
    for (const row of ["The harbour office opens at seven.", "The night ferry leaves from pier four."])
      expect(await cairn(["add", row])).toMatchObject({ code: 0 });
  }, SLOW_MS);

  test(
    "shows what answers, and refuses what makes no sense",
    async () => {
      expect((await cairn(["reembed"])).out).toBe("hash answers.\nOthers: multilingual-e5-notes-v1, my-model.");
      const unknown = await cairn(["reembed", "--model", "bert"]);
      expect(unknown).toMatchObject({ code: 2 });
      expect(unknown.err).toContain("There is no model bert");
      expect(await cairn(["reembed", "--rollback"])).toMatchObject({ code: 1 });
      expect(await cairn(["reembed", "--pause", "--resume"])).toMatchObject({ code: 2 });
    },
    SLOW_MS,
  );

  test(
    "has everything read by multilingual-e5-notes-v1, goes back, and takes it out",
    async () => {
      const { out, code } = await cairn(["reembed", "--model", "multilingual-e5-notes-v1"]);
      expect([code, out]).toEqual([
        0,
        "multilingual-e5-notes-v1 answers.\nhash is kept: go back to it with --rollback, or take it out with --drop-old.",
      ]);
      expect((await cairn(["search", "When can I go to the port authority?"])).out).toContain("harbour office");
      expect(await cairn(["check"])).toMatchObject({ code: 0 });
      const refused = await runToEnd(["serve", "--data", data, "--port", "0", "--embedder", "hash"]);
      expect(refused).toMatchObject({ code: 1 });
      expect(refused.stderr).toContain("is read by multilingual-e5-notes-v1. Leave out --embedder hash");
      // A backup holds both.
      const backup = await cairn(["backup", join(root.path, "both.db.zst"), "--json"]);
      expect(JSON.parse(backup.out).manifest.models).toEqual(["hash-v1", "multilingual-e5-notes-v1+turns"]);
      expect(await cairn(["backup", "verify", join(root.path, "both.db.zst")])).toMatchObject({ code: 0 });
      expect((await cairn(["reembed", "--rollback"])).out).toStartWith(
        "hash answers.\nmultilingual-e5-notes-v1 is kept",
      );
      expect((await cairn(["reembed", "--drop-old"])).out).toStartWith("hash answers.\nOthers:");
      expect(await cairn(["check"])).toMatchObject({ code: 0 });
    },
    SLOW_MS,
  );

  test(
    "has a model of one's own read it, which a server then needs, and finds sound",
    async () => {
      expect(await cairn(["reembed", "--model", "my-model"])).toMatchObject({ code: 0 });
      expect(await shown()).toMatchObject({ model: "my-model", other: { model: "hash", state: "previous" } });
      const server = await spawnServer({ folder: data, embedder: "onnx", flags: ["--models", models] });
      const found = await cairn(["search", "When can I go to the port authority?"]);
      expect(found.out).toContain("harbour office");
      // Whoever does not know the model asks the server that does.
      const stranger = cairnIn(data, root.path);
      expect((await stranger(["reembed"])).out).toStartWith("my-model answers.");
      await server.terminate();
      expect(await stranger(["search", "the port authority"])).toMatchObject({ code: 1 });
      const without = await runToEnd(["serve", "--data", data, "--port", "0"]);
      expect(without).toMatchObject({ code: 1 });
      expect(without.stderr).toContain("is read by the model my-model, which is not here");
      const broken = join(root.path, "broken");
      makeModelFolder(join(broken, "mine"), { manifest: { dimensions: 768 } });
      const wrong = await runToEnd(["serve", "--data", data, "--port", "0", "--models", broken]);
      expect(wrong).toMatchObject({ code: 1 });
      expect(wrong.stderr).toContain("768 dimensions");
      expect(wrong.stderr).not.toContain("at ");
    },
    SLOW_MS,
  );
});
