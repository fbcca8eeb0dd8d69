import { useState } from "preact/hooks";
import type { CallProblem } from "../../api/problem.ts";
import { asProblem } from "../../api/problem.ts";
import { fleetToWrite, shownFleet } from "../../api/projects.ts";
import type { Document } from "../../api/schemas.gen.ts";
import { Button } from "../../kit/controls.tsx";
import { JsonEditor } from "../../kit/json-editor.tsx";
import { Problem } from "../../kit/layout.tsx";
import { ProjectField } from "../../kit/project-field.tsx";
import { asWritten, replaceDocument } from "./changes.ts";

interface DocumentEditorProps {
  readonly document: Document;
  /** Called when it is no longer as it was given. */
  readonly onChanged: () => void;
  readonly onDone: () => void;
}

/** Edits the data of a document, and the project it belongs to. */
export function DocumentEditor({ document, onChanged, onDone }: DocumentEditorProps) {
  const [begun, setBegun] = useState(document);
  const [project, setProject] = useState(shownFleet(document.fleet_id));
  const [problem, setProblem] = useState<CallProblem | null>(null);
  const save = async (data: Record<string, unknown>) => {
    try {
      const fleet_id = project === "" ? null : await fleetToWrite(project);
      await replaceDocument(begun, { ...asWritten(begun), data, fleet_id });
      onChanged();
      onDone();
    } catch (error) {
      setProblem(asProblem(error));
      onChanged();
    }
  };
  const beginAnew = () => {
    setBegun(document);
    setProject(shownFleet(document.fleet_id));
    setProblem(null);
  };
  return (
    <div class="stack">
      {document.updated_at !== begun.updated_at && (
        <div class="document-note" role="status">
          Somebody changed this document since you began. <Button onClick={beginAnew}>Begin anew from that</Button>
        </div>
      )}
      {problem && <Problem problem={problem} />}
      <ProjectField hint="Empty: for everyone" value={project} onChange={setProject} />
      <JsonEditor
        key={begun.updated_at}
        label="Data: a JSON object; `summary` is what search embeds"
        value={begun.data}
        onSave={save}
        onCancel={onDone}
      />
    </div>
  );
}
