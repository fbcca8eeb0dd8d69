import { expect, test } from "bun:test";
import { processNamed } from "../../../src/cli/server/holder.ts";

// Linux tells what others run.
test.if(process.platform === "linux")(
  "a process is named by what it runs, without its flags, of which one may be a key",
  async () => {
    const command = ["/bin/sh", "-c", "echo ready; read line", "--api-key=not-for-the-log"];
    const child = Bun.spawn(command, { stdin: "pipe", stdout: "pipe" });
    // Before it runs, nothing is told of it.
    await child.stdout.getReader().read();
    expect(processNamed(child.pid)).toBe(`process ${child.pid} (sh)`);
    child.kill();
    await child.exited;
    expect(processNamed(child.pid)).toBe(`process ${child.pid}`);
  },
);

test.if(process.platform === "linux")(
  "of the words of a process, only those that are plainly names are repeated",
  async () => {
    const told = async (...words: string[]) => {
      const child = Bun.spawn(["/bin/sh", "-c", "echo ready; read line", ...words], {
        argv0: words[0] ?? "",
        stdin: "pipe",
        stdout: "pipe",
      });
      await child.stdout.getReader().read();
      const named = processNamed(child.pid);
      child.kill();
      return named.replace(/^process \d+ ?/, "");
    };
    expect(await told("\u001b[2Jcleared")).toBe("");
    expect(await told("/opt/My Programs/cairn")).toBe("(cairn)");
  },
);
