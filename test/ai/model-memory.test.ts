import { beforeAll, describe, expect, test } from "bun:test";
import { platform } from "node:os";
import { join } from "node:path";
import { z } from "zod";

/** Bytes: the model's file, its buffers once loaded, and what the process holds of its own at each step. */
const SessionMemory = z.object({
  file: z.number(),
  before: z.number(),
  loaded: z.number(),
  buffers: z.number(),
  worked: z.number(),
  rested: z.number(),
  gone: z.number(),
});

// Linux tells what a process holds.
describe.if(platform() === "linux")("memory of a model", () => {
  let memory: z.infer<typeof SessionMemory>;
  beforeAll(async () => {
    const fixture = join(import.meta.dir, "fixtures", "session-memory.ts");
    const child = Bun.spawn([process.execPath, fixture], { stdout: "pipe", stderr: "inherit" });
    memory = SessionMemory.parse(JSON.parse(await new Response(child.stdout).text()));
  });

  test("the bytes of its file are not kept beside the network", () => {
    expect(memory.buffers / memory.file).toBeLessThan(0.5);
  });

  test("what it took for long texts goes back", () => {
    expect((memory.rested - memory.loaded) / (memory.worked - memory.loaded)).toBeLessThan(0.3);
  });

  test("once it is released, most of what it took goes back", () => {
    expect((memory.gone - memory.before) / (memory.loaded - memory.before)).toBeLessThan(0.3);
  });
});
