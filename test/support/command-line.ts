import { CAIRN } from "../fault/server.ts";

/** What a command printed, without the space at its end, and its exit code. */
export interface Ran {
  readonly out: string;
  readonly err: string;
  readonly code: number;
}

/** The program in a folder, as somebody there would write it; input goes to its standard input. */
export function cairnIn(data: string, cwd: string, env: Readonly<Record<string, string>> = {}) {
  return async (words: readonly string[], input: string | Uint8Array<ArrayBuffer> = ""): Promise<Ran> => {
    const child = Bun.spawn([...CAIRN, ...words, "--data", data], {
      cwd,
      stdin: new Blob([input]),
      stdout: "pipe",
      stderr: "pipe",
      env: {
        PATH: process.env.PATH ?? "",
        HOME: data,
        XDG_CONFIG_HOME: "/nonexistent",
        CAIRN_EMBEDDER: "hash",
        ...env,
      },
    });
    const [out, err, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return { out: out.trimEnd(), err: err.trimEnd(), code };
  };
}
