import { faultsByMember } from "../../../api/faults.ts";
import type { CallProblem } from "../../../api/problem.ts";
import { Problem } from "../../../kit/layout.tsx";
import { useMemoryLink } from "../memory-link.ts";

interface RefusalProps {
  readonly problem: CallProblem | null;
  /** The members that have a field, beside which their own faults stand. */
  readonly known: readonly string[];
}

/** What the server refused, where it is not told beside a field; a memory that says the same already is linked. */
export function Refusal({ problem, known }: RefusalProps) {
  const linkTo = useMemoryLink();
  if (!problem) return null;
  const { existing_id } = problem.details;
  if (problem.code === "DUPLICATE_MEMORY" && typeof existing_id === "string")
    return (
      <div class="problem" role="alert">
        <p>
          <strong>Another memory says this already.</strong>
        </p>
        <p>
          <a href={linkTo(existing_id)}>Open that memory</a>
        </p>
      </div>
    );
  const named = Object.keys(faultsByMember(problem));
  if (named.length > 0 && named.every((name) => known.includes(name)))
    return (
      <p class="field-problem" role="alert">
        Not saved: see the fields that are marked below.
      </p>
    );
  return <Problem problem={problem} />;
}
