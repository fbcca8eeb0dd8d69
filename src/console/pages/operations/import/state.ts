import { signal } from "@preact/signals";
import type { CallProblem } from "../../../api/problem.ts";
import { asProblem } from "../../../api/problem.ts";
import type { Ended, Progressed, ReadFile } from "./run.ts";
import { readFile, sendFile, storedOf } from "./run.ts";

type Task = "reading" | "dry run" | "import";

/** Where the import of this tab stands; it goes on while other pages are looked at. */
export interface ImportState {
  readonly file: File | null;
  /** Null until the file was read. */
  readonly read: ReadFile | null;
  readonly working: {
    readonly task: Task;
    readonly cancel: () => void;
    readonly isCancelling: boolean;
    readonly progress: Progressed;
    readonly seconds: number;
  } | null;
  readonly dry: Ended | null;
  readonly done: Ended | null;
  readonly problem: CallProblem | null;
}

const NOTHING: ImportState = { file: null, read: null, working: null, dry: null, done: null, problem: null };
export const importState = signal(NOTHING);

const change = (part: Partial<ImportState>): void => {
  importState.value = { ...importState.value, ...part };
};

/** Takes another file, or none. */
export function chooseFile(file: File | null): void {
  if (importState.value.working) return;
  importState.value = { ...NOTHING, file };
  if (file) void work("reading", async (hearing) => change({ read: await readFile(file, hearing) }));
}

/** Tells what would become of each record, and stores nothing. */
export const tryOut = (read: ReadFile): Promise<void> =>
  work("dry run", async (hearing) => {
    const dry = await sendFile(read, true, hearing);
    // Of a part it would say too little.
    change({ dry: dry.isCancelled ? null : dry });
  });

/** Stores what the file holds. */
export const store = (read: ReadFile): Promise<void> =>
  work("import", async (hearing) => {
    try {
      change({ done: await sendFile(read, false, hearing) });
    } finally {
      await storedOf(read.source).then(
        (stored) => change({ read: { ...read, stored } }),
        () => {},
      );
    }
  });

const warn = (event: BeforeUnloadEvent): void => event.preventDefault();

type Hearing = Parameters<typeof readFile>[1];

async function work(task: Task, run: (hearing: Hearing) => Promise<void>): Promise<void> {
  const abort = new AbortController();
  const begun = performance.now();
  const show = (progress: Progressed, isCancelling = abort.signal.aborted) => {
    const cancel = () => {
      abort.abort();
      show(importState.value.working?.progress ?? progress, true);
    };
    change({ working: { task, cancel, isCancelling, progress, seconds: (performance.now() - begun) / 1_000 } });
  };
  change({ problem: null, done: null });
  show({ bytes: 0, entries: 0, counts: null });
  window.addEventListener("beforeunload", warn);
  try {
    await run({ cancelled: abort.signal, told: show });
    if (task === "reading" && abort.signal.aborted) change(NOTHING);
  } catch (error) {
    change({ problem: asProblem(error) });
  } finally {
    window.removeEventListener("beforeunload", warn);
    change({ working: null });
  }
}
