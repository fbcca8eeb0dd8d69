import { AppError } from "../../../src/core/kernel/errors.ts";
import type { Step, World } from "./world.ts";

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[78][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;

/** Names what a store made ids for by the order in which it told of them, since each store makes its own. */
type Naming = (text: string) => string;
function namingOf(): Naming {
  const names = new Map<string, string>();
  const nameOf = (id: string): string => {
    // Ids that the steps chose are the same everywhere.
    if (id.startsWith("01920000-0000-7000-8000-")) return id;
    const name = names.get(id) ?? `<made ${names.size + 1}>`;
    names.set(id, name);
    return name;
  };
  return (text) => text.replace(UUID, nameOf);
}

/** An answer as text: members in the order of their names, and of a failure only what kind it is. */
const plain = (_: string, value: unknown): unknown => {
  if (value instanceof Float32Array) return [...value].map((one) => Math.round(one * 1e3)).join();
  if (value instanceof Map) return Object.fromEntries([...value].sort(([a], [b]) => (a < b ? -1 : 1)));
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
};

async function answerOf<Store>(step: Step<Store>, world: World<Store>): Promise<string> {
  try {
    return JSON.stringify(await step.run(world), plain, 1) ?? "nothing";
  } catch (error) {
    if (error instanceof AppError) return `refused: ${error.code}`;
    if (process.env.DRIFT_ERRORS) console.error(world.name, error);
    return "failed";
  }
}

/** Stores that were told the same answered differently to the last of it. */
export class Drift extends Error {
  constructor(
    readonly told: readonly string[],
    difference: string,
  ) {
    super(`${told.join("\n")}\nanswers differ to the last: ${difference}`);
  }
}

/** Tells and asks every store the same; throws with all that was told where two answer differently to the last. */
export async function sameAnswers<Store>(
  steps: readonly Step<Store>[],
  worlds: readonly World<Store>[],
): Promise<void> {
  const stores = worlds.map((world) => [world, namingOf()] as const);
  const told: string[] = [];
  try {
    for (const step of steps) {
      told.push(step.text);
      await sameAnswer(step, stores);
    }
  } catch (error) {
    throw new Drift(told, String(error));
  }
}

/** Asks every store the same, and throws where one answers something else than the first. */
async function sameAnswer<Store>(
  step: Step<Store>,
  stores: readonly (readonly [World<Store>, Naming])[],
): Promise<void> {
  let first: { readonly name: string; readonly answer: string } | undefined;
  for (const [world, naming] of stores) {
    const answer = naming(await answerOf(step, world));
    first ??= { name: world.name, answer };
    if (answer !== first.answer) throw new Error(`${difference(first, { name: world.name, answer })}`);
  }
}

/** Where two answers part, with a few lines before it. */
function difference(...[one, other]: readonly [Told, Told]): string {
  const [a, b] = [one.answer.split("\n"), other.answer.split("\n")];
  const at = a.findIndex((line, i) => line !== b[i]);
  const from = Math.max(0, (at < 0 ? a.length : at) - 6);
  return [one, other]
    .map(
      ({ name, answer }) =>
        `${name}, line ${at}:\n${answer
          .split("\n")
          .slice(from, from + 14)
          .join("\n")}`,
    )
    .join("\n--- but ");
}
interface Told {
  readonly name: string;
  readonly answer: string;
}
