import { useState } from "preact/hooks";
import { call } from "../../api/call.ts";
import type { CallProblem } from "../../api/problem.ts";
import { asProblem } from "../../api/problem.ts";
import type { Project } from "../../api/schemas.gen.ts";
import { Button, Field } from "../../kit/controls.tsx";
import { Dialog } from "../../kit/dialog.tsx";
import { Problem } from "../../kit/layout.tsx";
import { cutTo } from "../../kit/text.tsx";
import { toast } from "../../kit/toast.tsx";

interface NameDialogProps {
  readonly project: Project;
  /** Whether it is to be called so, or this is to mean it as well. */
  readonly kind: "rename" | "alias";
  readonly onClose: () => void;
}

/** Calls a project something else, or gives it one more name. */
export function NameDialog({ project: { id, name }, kind, onClose }: NameDialogProps) {
  const isRename = kind === "rename";
  const [typed, setTyped] = useState(isRename ? name : "");
  const [problem, setProblem] = useState<CallProblem | null>(null);
  const wanted = typed.trim();
  const save = async () => {
    setProblem(null);
    try {
      if (isRename) {
        await call("renameProject", { body: { project: id, name: wanted } });
        toast(`It is called ${wanted} now.`, {
          undo: () => call("renameProject", { body: { project: id, name } }),
        });
      } else {
        await call("aliasProject", { body: { project: id, alias: wanted } });
        toast(`${wanted} means it as well.`, {
          undo: () => call("aliasProject", { body: { project: id, alias: wanted, remove: true } }),
        });
      }
    } catch (error) {
      setProblem(asProblem(error));
      return;
    }
    onClose();
  };
  return (
    <Dialog title={`${isRename ? "Rename" : "Add a name to"} ${cutTo(name, 60)}`} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {problem && <Problem problem={problem} />}
        <Field
          label="Name"
          hint={
            isRename
              ? "Its id stays, and its names before go on meaning it."
              : "It means the project wherever one is named, in requests too."
          }
        >
          {(field) => (
            <input
              dir="auto"
              id={field}
              autoFocus
              autocomplete="off"
              value={typed}
              onInput={({ currentTarget }) => setTyped(currentTarget.value)}
            />
          )}
        </Field>
        <div class="actions">
          <Button kind="primary" disabled={wanted === "" || (isRename && wanted === name)} onClick={save}>
            Save
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
