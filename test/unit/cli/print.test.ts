import { expect, test } from "bun:test";
import { join } from "node:path";

const PRINT = join(import.meta.dir, "../../../src/cli/print.ts");
/** More than a pipe holds, written after the first use of the stream has made the pipe refuse what does not fit. */
const SCRIPT = `import { print } from "${PRINT}"; process.stdout.isTTY; print("x".repeat(1_000_000)); print("end");`;

/** Runs the script with its standard output sent elsewhere by a shell. */
async function printingTo(place: string): Promise<{ out: string; err: string; code: number }> {
  const line = `"$0" -e "$1" ${place}`;
  const child = Bun.spawn(["bash", "-o", "pipefail", "-c", line, process.execPath, SCRIPT], {
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { out, err, code };
}

test("a reader that leaves early ends the output quietly, and without a fault", async () => {
  expect(await printingTo("| head -c 3")).toEqual({ out: "xxx", err: "", code: 0 });
  expect(await printingTo("| (sleep 0.3; head -c 3)")).toEqual({ out: "xxx", err: "", code: 0 });
});

test("a slow reader gets all of it", async () => {
  expect((await printingTo("| (sleep 0.3; wc -c)")).out.trim()).toBe("1000005");
});

test.if(process.platform === "linux")("a full disk is said once, and fails the command", async () => {
  const { err, code } = await printingTo("> /dev/full");
  expect(err).toBe("cairn: The output could not be written: no space is left where it goes.\n");
  expect(code).toBe(1);
});
