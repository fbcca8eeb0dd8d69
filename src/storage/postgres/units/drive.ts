import type { Unit } from "../../units/unit.ts";
import type { Work } from "../engine/work.ts";

/** Runs a unit of work, each statement after the one before it. */
export async function drive<T>(work: Pick<Work, "rows" | "run">, unit: Unit<T>): Promise<T> {
  let step = unit.next();
  while (!step.done) {
    const { value } = step;
    if ("wait" in value) step = unit.next(await value.wait());
    else step = unit.next(value.gives === "rows" ? await work.rows(value.query) : await work.run(value.query));
  }
  return step.value;
}
