import { CAIRN } from "../fault/server.ts";

/** What a command printed, without the space at its end, and its exit code. */
export interface Ran {
  readonly out: string;
  readonly err: string;
  readonly code: number;
}

/** What a command finds around it: nothing of whoever runs the tests. */
const environment = (data: string, env: Readonly<Record<string, string>>) => ({
  PATH: process.env.PATH ?? "",
  HOME: data,
  XDG_CONFIG_HOME: "/nonexistent",
  CAIRN_EMBEDDER: "hash",
  ...env,
});

/** The program in a folder, as somebody there would write it; input goes to its standard input. */
export function cairnIn(data: string, cwd: string, env: Readonly<Record<string, string>> = {}) {
  return async (words: readonly string[], input: string | Uint8Array<ArrayBuffer> = ""): Promise<Ran> => {
    const child = Bun.spawn([...CAIRN, ...words, "--data", data], {
      cwd,
      stdin: new Blob([input]),
      stdout: "pipe",
      stderr: "pipe",
      env: environment(data, env),
    });
    const [out, err, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return { out: out.trimEnd(), err: err.trimEnd(), code };
  };
}

/** How long a terminal is read after its program has ended, at most. */
const ECHO_MS = 500;

/** The same on a terminal of 120 columns: all that was shown there, in one text. */
export function cairnOnTerminal(data: string, cwd: string, env: Readonly<Record<string, string>> = {}) {
  return async (words: readonly string[]): Promise<string> => {
    const decoder = new TextDecoder();
    let shown = "";
    const ended = Promise.withResolvers<void>();
    const terminal = new Bun.Terminal({
      cols: 120,
      rows: 40,
      data: (_, bytes) => {
        shown += decoder.decode(bytes, { stream: true });
      },
      exit: () => ended.resolve(),
    });
    const child = Bun.spawn([...CAIRN, ...words, "--data", data], { cwd, terminal, env: environment(data, env) });
    await child.exited;
    // The last words may come after the end of whoever said them.
    await Promise.race([ended.promise, Bun.sleep(ECHO_MS)]);
    terminal.close();
    return Bun.stripANSI(shown);
  };
}
