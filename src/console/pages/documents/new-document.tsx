import { useState } from "preact/hooks";
import type { CallProblem } from "../../api/problem.ts";
import { asProblem } from "../../api/problem.ts";
import { fleetToWrite, shownFleet } from "../../api/projects.ts";
import { Field } from "../../kit/controls.tsx";
import { docsOf } from "../../kit/curl.ts";
import { JsonEditor } from "../../kit/json-editor.tsx";
import { Panel, Problem } from "../../kit/layout.tsx";
import { ProjectField } from "../../kit/project-field.tsx";
import { Suggesting } from "../../kit/suggesting.tsx";
import { createDocument } from "./changes.ts";

interface NewDocumentProps {
  readonly collection: string | null;
  readonly fleet_id: string | null;
  readonly collections: readonly string[];
  readonly onWritten: (collection: string, doc_id: string) => void;
  readonly onCancel: () => void;
}

/** Writes a document that does not exist yet. */
export function NewDocument({ onWritten, onCancel, ...known }: NewDocumentProps) {
  const collections = known.collections.filter((name) => !name.startsWith("_"));
  const [collection, setCollection] = useState(collections.find((name) => name === known.collection) ?? "");
  const [doc_id, setDocId] = useState("");
  const [project, setProject] = useState(shownFleet(known.fleet_id));
  const [summary, setSummary] = useState("");
  const [problem, setProblem] = useState<CallProblem | null>(null);
  const isOwn = collection.startsWith("_");
  const save = async (data: Record<string, unknown>) => {
    try {
      await createDocument({
        collection,
        doc_id,
        data: summary.trim() === "" ? data : { ...data, summary: summary.trim() },
        ...(project === "" ? {} : { fleet_id: await fleetToWrite(project) }),
      });
      onWritten(collection, doc_id);
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  return (
    <Panel
      title="Write a document"
      actions={
        <a href={docsOf("Documents", "writeDocument")} target="_self">
          The same over HTTP
        </a>
      }
    >
      <div class="stack">
        {problem && <Problem problem={problem} />}
        <div class="grid">
          <Suggesting
            label="Collection"
            placeholder="customers"
            problem={isOwn ? "Names that begin with _ belong to Cairn." : null}
            value={collection}
            suggestions={collections}
            onChange={setCollection}
          />
          <Field label="Key (doc_id)">
            {(id) => (
              <input
                dir="auto"
                id={id}
                placeholder="harbour-foods"
                autocomplete="off"
                value={doc_id}
                onInput={({ currentTarget }) => setDocId(currentTarget.value)}
              />
            )}
          </Field>
          <ProjectField hint="Empty: for everyone, or the project of your key" value={project} onChange={setProject} />
        </div>
        <Field label="Summary" hint="What search embeds, kept as data.summary. Without one, search does not reach it.">
          {(id) => (
            <input
              dir="auto"
              id={id}
              value={summary}
              onInput={({ currentTarget }) => setSummary(currentTarget.value)}
            />
          )}
        </Field>
        <JsonEditor label="Data: a JSON object" value={{}} onSave={save} onCancel={onCancel} />
      </div>
    </Panel>
  );
}
