import { shownOnOneLine } from "../../core/kernel/quoting/unseen.ts";
import { preview } from "../../core/kernel/text.ts";
import { NAME_MAX, ProjectName } from "../../core/schema/common.ts";

/** A path rather than a name; `owner/repo` is a name. */
const PATH = /^(?:[/\\~]|\.{1,2}[/\\]|[a-z]:[/\\]|file:)/i;

const stepsOf = (path: string): string[] => path.split(/[/\\]+/).filter((step) => step !== "");

/**
 * What the projects of another tool are called here, by what it calls them: a name stays, a path becomes its last step, or as
 * many steps as tell it from the others. What can be no name is left out.
 */
export function projectNames(written: Iterable<string>): ReadonlyMap<string, string> {
  const [names, paths] = [new Set<string>(), new Map<string, readonly string[]>()];
  for (const one of written) {
    if (PATH.test(one)) paths.set(one, stepsOf(one));
    else names.add(one);
  }
  const plain = new Set([...names].map(cleaned));
  const ends = endsOf(new Set([...paths.values()].map((steps) => steps.join("/"))));
  const nameOf = (steps: readonly string[]): string => {
    let length = 1;
    let name = endOf(steps, length);
    while (length < steps.length && (plain.has(cleaned(name)) || (ends.get(name) ?? 0) > 1))
      name = endOf(steps, ++length);
    return name;
  };
  const all = [
    ...[...names].map((one) => [one, one] as const),
    ...[...paths].map(([one, steps]) => [one, nameOf(steps)] as const),
  ];
  return new Map(
    all.flatMap(([one, name]) => {
      const { data } = ProjectName.safeParse(cleaned(name));
      return data === undefined ? [] : [[one, data] as const];
    }),
  );
}

/** How many paths end in the same steps. */
function endsOf(paths: ReadonlySet<string>): ReadonlyMap<string, number> {
  const ends = new Map<string, number>();
  for (const path of paths) {
    const steps = path.split("/");
    for (let length = 1; length <= steps.length; length++) {
      const end = endOf(steps, length);
      ends.set(end, (ends.get(end) ?? 0) + 1);
    }
  }
  return ends;
}

const endOf = (steps: readonly string[], length: number): string => steps.slice(-length).join("/");
const cleaned = (name: string): string => preview(shownOnOneLine(name), NAME_MAX);
