import { z } from "zod";
import { share } from "../figures.ts";
import type { BenchServer, Reply } from "../server.ts";

/** The same of the earlier executable and of the later one. */
export type Pair<T> = readonly [old: T, new: T];
export type Side = 0 | 1;
const SIDES: Pair<Side> = [0, 1];

/** What a part of the comparison works on. */
export interface Scene {
  readonly servers: Pair<BenchServer>;
  /** Their folders, which they write to. */
  readonly folders: Pair<string>;
  /** The folder that both were copied from. */
  readonly source: string;
  readonly embedder: string;
  /** Seconds of each turn. */
  readonly seconds: number;
}

/** One line of the comparison; null where an executable has no such thing. */
export interface Figure {
  readonly what: string;
  readonly old: number | null;
  readonly new: number | null;
}

export const figure = (what: string, [older, newer]: Pair<number | null>): Figure => ({ what, old: older, new: newer });

/** The same for both, one after the other. */
export async function forBoth<T>(work: (side: Side) => Promise<T>): Promise<Pair<T>> {
  return [await work(0), await work(1)];
}

/** Calls of one side: milliseconds of each as the client sees them, and how long all took that were made at once. */
interface Calls {
  readonly ms: number[];
  seconds: number;
  /** Calls that a busy model left without a vector: fast, and worth less. */
  withoutVector: number;
}

export interface Turns {
  /** Calls in flight at a time. */
  readonly clients: number;
  /** Turns that each side has; they alternate, and so does which side begins. */
  readonly turns: number;
  /** A turn ends after so long, and not before each client has called once. */
  readonly seconds: number;
  /** Nor may it have more calls than this. */
  readonly callsMax?: number;
  /** Runs after each turn, off the clock. */
  settle?(side: Side): Promise<unknown>;
}

/** Makes the next call of a side. */
export type Caller = (side: Side) => Promise<Reply>;

/** Lets both sides call in turns, so that whatever the machine does meanwhile happens to both; median, tail and rate. */
export async function inTurns(what: string, options: Turns, call: Caller): Promise<Figure[]> {
  const calls: Pair<Calls> = [
    { ms: [], seconds: 0, withoutVector: 0 },
    { ms: [], seconds: 0, withoutVector: 0 },
  ];
  for (let turn = 0; turn < options.turns; turn++) {
    for (const side of turn % 2 === 0 ? SIDES : SIDES.toReversed()) {
      await takeTurn(calls[side], options, () => call(side));
      await options.settle?.(side);
    }
  }
  const of = (value: (side: Calls) => number): Pair<number> => [value(calls[0]), value(calls[1])];
  const at = (part: number) => of(({ ms }) => percentile(ms, part));
  return [
    figure(`${what}, p50 ms`, at(0.5)),
    figure(`${what}, p95 ms`, at(0.95)),
    figure(
      `${what}, calls/s`,
      of(({ ms, seconds }) => ms.length / seconds),
    ),
    ...(calls.some(({ withoutVector }) => withoutVector > 0)
      ? [
          figure(
            `${what}, share left without a vector`,
            of(({ ms, withoutVector }) => withoutVector / ms.length),
          ),
        ]
      : []),
  ];
}

/** The value below which a share of the samples lies. */
export const percentile = (samples: readonly number[], part: number): number =>
  share(
    samples.toSorted((a, b) => a - b),
    part,
  );

const Reduced = z.looseObject({
  warnings: z.array(z.object({ code: z.string() })).nullish(),
  metadata: z.looseObject({ embedding_pending: z.boolean().optional() }).nullish(),
});

/** Whether a search was by words alone, or a memory stored to be embedded later. */
function isWithoutVector({ body }: Reply): boolean {
  const { warnings, metadata } = Reduced.parse(body);
  return (
    metadata?.embedding_pending === true || (warnings ?? []).some(({ code }) => code === "semantic_search_unavailable")
  );
}

async function takeTurn(calls: Calls, { clients, seconds, callsMax }: Turns, call: () => Promise<Reply>) {
  const startedAt = performance.now();
  const until = startedAt + seconds * 1_000;
  let left = callsMax ?? Number.POSITIVE_INFINITY;
  const work = Array.from({ length: clients }, async () => {
    do {
      left--;
      const reply = await call();
      calls.ms.push(reply.outside_ms);
      if (isWithoutVector(reply)) calls.withoutVector++;
    } while (performance.now() < until && left > 0);
  });
  await Promise.all(work);
  calls.seconds += (performance.now() - startedAt) / 1_000;
}
