import { describe, expect, test } from "bun:test";
import { renameSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SourceFile } from "../../../src/formats/reader.ts";
import { openSource } from "../../../src/formats/source.ts";
import { CHANGED_AT, folderWith, sourceOf } from "./support.ts";

const linesOf = async (file: SourceFile | undefined): Promise<string[]> => {
  const lines: string[] = [];
  for await (const line of file?.lines() ?? []) lines.push(line);
  return lines;
};
const encoded = (text: string, encoding: BufferEncoding): Buffer => Buffer.from(text, encoding);

describe("a folder", () => {
  test("is its files below it, sorted by path, with when they were changed", async () => {
    const { files } = await sourceOf({ "b.md": "b", "a/z.md": "z", "a.md": "a" });
    expect(files.map(({ path }) => path)).toEqual(["a.md", "a/z.md", "b.md"]);
    expect(files[0]?.changed_at).toBe(CHANGED_AT);
  });

  test("leaves out what is hidden and what packages bring, unless it is named", async () => {
    const folder = folderWith({
      "a.md": "a",
      ".hidden.md": "h",
      ".claude/CLAUDE.md": "c",
      ".git/config": "g",
      "node_modules/x/README.md": "n",
      ".cursorrules": "r",
    });
    const paths = async (path: string) => (await openSource(path)).files.map((file) => file.path);
    expect(await paths(folder)).toEqual([".cursorrules", "a.md"]);
    expect(await paths(join(folder, ".claude"))).toEqual(["CLAUDE.md"]);
    expect(await paths(join(folder, ".hidden.md"))).toEqual([".hidden.md"]);
  });

  test("does not follow links, but is opened by one", async () => {
    const [outside, folder] = [folderWith({ "secret.md": "s" }), folderWith({ "a.md": "a" })];
    symlinkSync(outside, join(folder, "linked"));
    symlinkSync(join(outside, "secret.md"), join(folder, "link.md"));
    symlinkSync(folder, join(outside, "door"));
    expect((await openSource(folder)).files.map(({ path }) => path)).toEqual(["a.md"]);
    expect((await openSource(join(outside, "door"))).files.map(({ path }) => path)).toEqual(["a.md"]);
  });

  test("is read from nowhere else when a folder in it has become a link since", async () => {
    const [outside, folder] = [folderWith({ "diary.md": "secret" }), folderWith({ "a/diary.md": "mine", "b.md": "b" })];
    const { files } = await openSource(folder);
    renameSync(join(folder, "a"), join(folder, "away"));
    symlinkSync(outside, join(folder, "a"));
    const [diary, other] = files;
    const refusal = { code: "BAD_REQUEST", message: expect.stringMatching(/^a\/diary\.md cannot be read: .*a link/) };
    await expect(diary?.text() ?? null).rejects.toMatchObject(refusal);
    await expect(linesOf(diary)).rejects.toMatchObject(refusal);
    expect(await other?.text()).toBe("b");
  });

  test("without files, or that is not there, is refused by name", async () => {
    const folder = folderWith({ ".hidden": "h" });
    await expect(openSource(folder)).rejects.toMatchObject({
      code: "BAD_REQUEST",
      message: expect.stringMatching(/holds no files/),
    });
    await expect(openSource(join(folder, "none"))).rejects.toMatchObject({
      message: expect.stringMatching(/none is not there/),
    });
    await expect(openSource("/dev/null")).rejects.toMatchObject({
      message: expect.stringMatching(/neither a file nor a folder/),
    });
  });
});

describe("a file", () => {
  test("is read as a whole and by lines, without the mark before UTF-8", async () => {
    const { files } = await sourceOf({ "a.md": "\ufeffone\r\ntwo é🎉\n\nlast", "b.md": "" });
    expect(await files[0]?.text()).toBe("one\r\ntwo é🎉\n\nlast");
    expect(await linesOf(files[0])).toEqual(["one", "two é🎉", "", "last"]);
    expect(await linesOf(files[1])).toEqual([]);
  });

  test("has the same lines however they fall into what is read at a time", async () => {
    const lines = Array.from({ length: 3_000 }, (_, i) => `${i} ${"é".repeat((i * 7) % 211)}`);
    const { files } = await sourceOf({ "a.txt": lines.join("\n") });
    expect(await linesOf(files[0])).toEqual(lines);
  });

  test.each([
    ["in Latin-1", encoded("one\ntwo caf\u00e9\n", "latin1"), /^x\.md is not in UTF-8 \(line 2\)/],
    ["in UTF-16", Buffer.concat([Buffer.from([0xff, 0xfe]), encoded("one", "utf16le")]), /^x\.md is in UTF-16/],
    ["in UTF-16 without its mark", encoded("one\ntwo", "utf16le"), /^x\.md holds a NUL byte in line 1/],
    ["cut off within a character", encoded("one é", "utf8").subarray(0, -1), /^x\.md is not in UTF-8 \(line 1\)/],
  ])("%s is refused, saying where", async (_what, bytes, message) => {
    const { files } = await sourceOf({ "x.md": bytes });
    await expect(files[0]?.text()).rejects.toMatchObject({
      code: "BAD_REQUEST",
      message: expect.stringMatching(message),
    });
    await expect(linesOf(files[0])).rejects.toMatchObject({
      code: "BAD_REQUEST",
      message: expect.stringMatching(message),
    });
  });

  test("that is too large to be held is refused, saying how large it may be", async () => {
    const folder = folderWith({ "a.md": "" });
    truncateSync(join(folder, "a.md"), 513 * 1_048_576);
    const { files } = await openSource(folder);
    await expect(files[0]?.text()).rejects.toMatchObject({
      code: "BAD_REQUEST",
      message: "a.md has more than 512 MiB: split it into smaller files.",
    });
    await expect(linesOf(files[0])).rejects.toMatchObject({ message: "Line 1 of a.md has more than 64 MiB." });
  });

  test("that has gone meanwhile is told by name", async () => {
    const folder = folderWith({ "a.md": "a" });
    const { files } = await openSource(join(folder, "a.md"));
    await Bun.file(join(folder, "a.md")).delete();
    await expect(files[0]?.text()).rejects.toMatchObject({ code: "BAD_REQUEST", message: "a.md is not there." });
    await expect(linesOf(files[0])).rejects.toMatchObject({ message: "a.md is not there." });
    writeFileSync(join(folder, "a.md"), "back");
    expect(await files[0]?.text()).toBe("back");
  });
});
