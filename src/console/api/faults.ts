import type { CallProblem, Fault } from "./problem.ts";

type Faults = Readonly<Record<string, string>>;

/** What the server said of each member of a body, by its name; parts of a member count as the member itself. */
export const faultsByMember = (problem: CallProblem | null): Faults =>
  faultsBy(problem, ([member = "", ...rest], said) => [
    member,
    rest.length === 0 ? said : `${rest.join(".")}: ${said}`,
  ]);

/** The same by the whole path of each member, such as `search.weight`; what is said of the body as such stands under "". */
export const faultsByPath = (problem: CallProblem | null): Faults =>
  faultsBy(problem, (path, said) => [path.join("."), said]);

type Naming = (path: Fault["place"], said: string) => readonly [name: string, said: string];

function faultsBy(problem: CallProblem | null, naming: Naming): Faults {
  const faults: Record<string, string> = {};
  for (const { place, said } of problem?.faults ?? []) {
    if (place[0] !== "body") continue;
    const [name, words] = naming(place.slice(1), said);
    faults[name] = faults[name] === undefined ? words : `${faults[name]}\n${words}`;
  }
  return faults;
}
