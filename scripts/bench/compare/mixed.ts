import { checkRows } from "../load/checks.ts";
import type { Ledger } from "../load/ledger.ts";
import { createLedger } from "../load/ledger.ts";
import type { Timings } from "../load/wire.ts";
import { createWire } from "../load/wire.ts";
import { runClients, writeShared } from "../load.ts";
import type { Figure, Pair, Scene } from "./sides.ts";
import { figure, forBoth, percentile } from "./sides.ts";
import { quiet } from "./writes.ts";

const CLIENTS = 64;
/** The time of the load is split into so many turns. */
const TURNS = 2;
/** Operations whose times are compared. */
const SHOWN = ["write", "bulk", "search", "recall", "get", "patch_content"];

/** What one side went through. */
interface Load {
  readonly ledger: Ledger;
  readonly timings: Timings;
  seconds: number;
}

/**
 * All kinds of calls by 64 clients at once, in turns; then every acknowledged row is looked for in the file. Promises that were
 * not kept (a reply of another status, a row that is lost or holds something else) are printed.
 */
export async function compareMixed({ servers, folders }: Scene, seconds: number): Promise<Figure[]> {
  const load = (): Load => ({ ledger: createLedger(), timings: new Map(), seconds: 0 });
  const loads: Pair<Load> = [load(), load()];
  const shared = await forBoth((side) => {
    const { ledger } = loads[side];
    return writeShared(createWire(servers[side].url, ledger, new Map()), ledger);
  });
  for (let turn = 0; turn < TURNS; turn++) {
    await forBoth(async (side) => {
      const { ledger, timings } = loads[side];
      const wire = createWire(servers[side].url, ledger, timings);
      const options = { clients: CLIENTS, seconds: seconds / TURNS, seed: turn + 1 };
      loads[side].seconds += await runClients(wire, ledger, shared[side], options);
      await quiet(folders[side]);
    });
  }
  const broken = await forBoth(async (side) => {
    const { ledger } = loads[side];
    const refused = ledger.violations.length;
    checkRows(folders[side], ledger);
    for (const text of ledger.violations) console.error(`${side === 0 ? "old" : "new"}: ${text}`);
    return { refused, wrong: ledger.violations.length - refused };
  });
  const callsOf = ({ timings, seconds: spent }: Load) => [...timings.values()].flat().length / spent;
  const at = ({ timings }: Load, name: string, part: number) => percentile(timings.get(name) ?? [], part);
  const spread = (name: string, part: number): Pair<number> => [at(loads[0], name, part), at(loads[1], name, part)];
  return [
    figure("mixed load, 64 clients, calls/s", [callsOf(loads[0]), callsOf(loads[1])]),
    ...SHOWN.flatMap((name) => [
      figure(`mixed load, ${name}, p50 ms`, spread(name, 0.5)),
      figure(`mixed load, ${name}, p95 ms`, spread(name, 0.95)),
    ]),
    figure("mixed load, calls that failed", [broken[0].refused, broken[1].refused]),
    figure("mixed load, rows lost or wrong", [broken[0].wrong, broken[1].wrong]),
  ];
}
