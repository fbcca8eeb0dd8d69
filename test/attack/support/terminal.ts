/** What somebody at a terminal saw of a command, and its exit code. */
export interface Seen {
  readonly text: string;
  readonly code: number;
}

interface Sitting {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** What is typed once so much is on the screen. */
  readonly answer: { readonly to: string; readonly typed: string };
}

/** Runs a command on a terminal of its own, at which somebody answers one question. */
export async function atTerminal(command: readonly string[], { cwd, env, answer }: Sitting): Promise<Seen> {
  const decoder = new TextDecoder();
  let text = "";
  let isAnswered = false;
  const child = Bun.spawn([...command], {
    cwd,
    env: { ...env, TERM: "xterm" },
    terminal: {
      cols: 200,
      rows: 50,
      data: (terminal, bytes) => {
        text += decoder.decode(bytes, { stream: true });
        if (isAnswered || !text.includes(answer.to)) return;
        isAnswered = true;
        terminal.write(answer.typed);
      },
    },
  });
  const code = await child.exited;
  child.terminal?.close();
  return { text, code };
}
