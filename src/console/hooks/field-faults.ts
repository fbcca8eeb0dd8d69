import type { CallProblem } from "../api/problem.ts";

/** What the server said of each member of a body, by its name; parts of a member count as the member itself. */
export function fieldFaults(problem: CallProblem | null): Readonly<Record<string, string>> {
  const faults: Record<string, string> = {};
  for (const line of problem?.message.split("\n") ?? []) {
    const [, name, rest = "", said] = /^body\.(\w+)((?:\.[^:]*)?): (.+)$/.exec(line) ?? [];
    if (name === undefined || said === undefined) continue;
    const fault = rest === "" ? said : `${rest.slice(1)}: ${said}`;
    faults[name] = faults[name] === undefined ? fault : `${faults[name]}\n${fault}`;
  }
  return faults;
}
