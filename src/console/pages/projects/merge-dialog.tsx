import { useEffect, useRef, useState } from "preact/hooks";
import type { CallProblem } from "../../api/problem.ts";
import { asProblem } from "../../api/problem.ts";
import type { Project } from "../../api/schemas.gen.ts";
import { Button, Field, Progress, Select } from "../../kit/controls.tsx";
import { Dialog } from "../../kit/dialog.tsx";
import { Problem } from "../../kit/layout.tsx";
import { count, plural } from "../../kit/numbers.ts";
import { cutTo, Text } from "../../kit/text.tsx";
import { mergeProjects } from "./merging.ts";

interface MergeDialogProps {
  /** What becomes part of another project: one, or a fleet that only requests name. */
  readonly from: Pick<Project, "id" | "name" | "memory_count">;
  readonly others: readonly Project[];
  readonly onClose: () => void;
  /** Told the id of the one that stays. */
  readonly onMerged: (into: string) => void;
}

/** Makes a project part of another one: says what will happen, and asks. Closing it breaks the merge off. */
export function MergeDialog({ from, others, onClose, onMerged }: MergeDialogProps) {
  const [chosen, setChosen] = useState("");
  const [moved, setMoved] = useState<number | null>(null);
  const [problem, setProblem] = useState<CallProblem | null>(null);
  const isClosed = useRef(false);
  useEffect(
    () => () => {
      isClosed.current = true;
    },
    [],
  );
  const into = others.find(({ id }) => id === chosen);
  const merge = async () => {
    if (!into) return;
    setProblem(null);
    try {
      const isEnded = () => isClosed.current;
      if (await mergeProjects({ from: from.id, into: into.id, onStep: setMoved, isEnded })) onMerged(into.id);
    } catch (error) {
      setMoved(null);
      setProblem(asProblem(error));
    }
  };
  return (
    <Dialog title={`Merge ${cutTo(from.name, 60)} into another project`} onClose={onClose}>
      <div class="stack">
        {problem && <Problem problem={problem} />}
        <Field label="The project that stays">
          {(id) => (
            <Select
              id={id}
              value={chosen}
              options={[["", "choose"], ...others.map((one) => [one.id, one.name] as const)]}
              onChange={setChosen}
            />
          )}
        </Field>
        {into && (
          <>
            <p>
              <strong>
                <Text value={from.name} />
              </strong>{" "}
              goes: {plural(from.memory_count, "memory", "memories")}, its documents, rules and skills become those of{" "}
              <strong>
                <Text value={into.name} />
              </strong>
              , and its names, remotes and folders mean that one. What both say is kept once.
            </p>
            <p>
              <strong>This cannot be undone.</strong>
            </p>
          </>
        )}
        {moved !== null && <Progress label={`${count(moved)} moved`} share={null} />}
        <div class="actions">
          <Button kind="danger" disabled={!into} onClick={merge}>
            Merge
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </div>
    </Dialog>
  );
}
