import { useState } from "preact/hooks";
import { call } from "../../../api/call.ts";
import { faultsByMember } from "../../../api/faults.ts";
import type { CallProblem } from "../../../api/problem.ts";
import { asProblem } from "../../../api/problem.ts";
import type { MemoryDetail } from "../../../api/schemas.gen.ts";
import { Button, Field } from "../../../kit/controls.tsx";
import { Dialog } from "../../../kit/dialog.tsx";
import { toast } from "../../../kit/toast.tsx";
import { Refusal } from "./refusal.tsx";
import { ChangedMeanwhile, isOvertaken, useSeen } from "./seen.tsx";

interface CorrectDialogProps {
  readonly memory: MemoryDetail;
  readonly reload: () => void;
  readonly onClose: () => void;
  /** Told the id of the memory that holds now. */
  readonly onCorrected: (id: string) => void;
}

/** Writes what holds now in place of a memory, which stays as history. */
export function CorrectDialog({ memory, reload, onClose, onCorrected }: CorrectDialogProps) {
  const { seen, isStale, beginAnew } = useSeen(memory);
  const [content, setContent] = useState(memory.content);
  const [source, setSource] = useState("");
  const [problem, setProblem] = useState<CallProblem | null>(null);
  const faults = faultsByMember(problem);
  const begin = () => {
    beginAnew();
    setContent(memory.content);
    setProblem(null);
  };
  const save = async () => {
    const body = { content, ...(source.trim() === "" ? {} : { source_uri: source.trim() }) };
    try {
      const { id } = await call("correctMemory", { path: { memory_id: memory.id }, body, version: seen });
      toast("What holds now is written; the older memory stays as history.");
      onClose();
      onCorrected(id);
    } catch (error) {
      setProblem(asProblem(error));
      if (isOvertaken(asProblem(error))) reload();
    }
  };
  return (
    <Dialog title="Correct this memory" onClose={onClose} wide>
      <div class="stack">
        <p class="dim">
          Agents will be told the new statement. This one becomes outdated, and what superseded it is shown.
        </p>
        {isStale && <ChangedMeanwhile content={memory.content} onBegin={begin} />}
        <Refusal problem={problem} known={["content", "source_uri"]} />
        <Field label="What holds now" problem={faults.content ?? null}>
          {(id) => (
            <textarea
              dir="auto"
              id={id}
              rows={6}
              value={content}
              onInput={({ currentTarget }) => setContent(currentTarget.value)}
            />
          )}
        </Field>
        <Field
          label="Source"
          hint="Where this is known from: an address or a name; may be left out."
          problem={faults.source_uri ?? null}
        >
          {(id) => (
            <input
              dir="auto"
              id={id}
              type="text"
              value={source}
              onInput={({ currentTarget }) => setSource(currentTarget.value)}
            />
          )}
        </Field>
        <div class="actions">
          <Button kind="primary" onClick={save} disabled={content.trim() === memory.content}>
            Correct
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </div>
    </Dialog>
  );
}
