import { useState } from "preact/hooks";
import { useCall } from "../../api/query.ts";
import type { Document } from "../../api/schemas.gen.ts";
import { Badge, Button, Copyable } from "../../kit/controls.tsx";
import { copyText } from "../../kit/copy.ts";
import { curlOf, docsOf, shellWord } from "../../kit/curl.ts";
import { Dialog } from "../../kit/dialog.tsx";
import { JsonTree } from "../../kit/json-tree.tsx";
import { Panel, Show } from "../../kit/layout.tsx";
import { Origin } from "../../kit/origin.tsx";
import { Pair } from "../../kit/pairs.tsx";
import { Text } from "../../kit/text.tsx";
import { Time } from "../../kit/time.tsx";
import { WrittenBy } from "../../kit/written-by.tsx";
import { deleteDocument } from "./changes.ts";
import { DocumentEditor } from "./document-editor.tsx";
import { isIndexed } from "./gist.ts";
import { ownCollection } from "./own-collections.ts";

interface DocumentPanelProps {
  readonly collection: string;
  readonly doc_id: string;
  readonly isEdited: boolean;
  readonly onEdit: (isEdited: boolean) => void;
  readonly onClose: () => void;
}

/** One document: what it says, where it belongs, who wrote it; edited and deleted here where the server allows it. */
export function DocumentPanel({ collection, doc_id, isEdited, onEdit, onClose }: DocumentPanelProps) {
  const [isAsked, setIsAsked] = useState(false);
  const found = useCall("getDocument", { path: { doc_id }, query: { collection } }, ["documents", "skills"]);
  const own = ownCollection(collection, doc_id);
  const { data: document, problem } = found;
  const isThere = document !== null && problem?.status !== 404;
  const remove = async (gone: Document) => {
    // A refusal is told behind the window otherwise.
    setIsAsked(false);
    await deleteDocument(gone);
    onClose();
  };
  return (
    <Panel
      class="document-open"
      title={<Text value={doc_id} />}
      actions={
        <>
          {isThere && !own?.isReadOnly && !isEdited && <Button onClick={() => onEdit(true)}>Edit</Button>}
          {isThere && !own?.isReadOnly && (
            <Button kind="danger" onClick={() => setIsAsked(true)}>
              Delete
            </Button>
          )}
          <Button label="Close the document" onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      {own && <Note {...own} />}
      <Show of={found}>
        {(shown) =>
          isEdited && !own?.isReadOnly ? (
            <DocumentEditor document={shown} onChanged={found.reload} onDone={() => onEdit(false)} />
          ) : (
            <Shown document={shown} />
          )
        }
      </Show>
      {isAsked && document && (
        <Dialog title="Delete this document?" onClose={() => setIsAsked(false)}>
          <p>
            <Text value={`${collection} / ${doc_id}`} /> is deleted for good. Right after, it can be written back from
            this page, as new: its row id and its dates are lost.
          </p>
          <div class="actions">
            <Button kind="danger" onClick={() => remove(document)}>
              Delete
            </Button>
            <Button onClick={() => setIsAsked(false)}>Keep</Button>
          </div>
        </Dialog>
      )}
    </Panel>
  );
}

const Note = ({ about, page, isReadOnly }: NonNullable<ReturnType<typeof ownCollection>>) => (
  <p class="document-note">
    {about}{" "}
    {page && (
      <a href={page.href}>
        {isReadOnly ? "They are edited on the page" : "Better edited on the page"} {page.name}
      </a>
    )}
  </p>
);

function Shown({ document }: { document: Document }) {
  const { collection, doc_id, data, fleet_id, id, created_at, updated_at } = document;
  return (
    <div class="stack">
      <div class="row">
        {!collection.startsWith("_") &&
          (isIndexed(collection, data) ? (
            <Badge word="found by search" tone="good" />
          ) : (
            <Badge word="not in search: no summary" tone="warn" />
          ))}
        <Button onClick={() => copyText(JSON.stringify(data, null, 2))}>Copy JSON</Button>
      </div>
      <JsonTree value={data} />
      <dl class="pairs">
        <Pair name="Collection">
          <Text value={collection} />
        </Pair>
        <Pair name="Project">
          <Origin of={{ fleet_id }} />
        </Pair>
        <Pair name="Created">
          <Time at={created_at} />
        </Pair>
        <Pair name="Changed">
          <Time at={updated_at} />
        </Pair>
        <Pair name="Row id">
          <code>{id}</code>
        </Pair>
      </dl>
      <h3>Who wrote it</h3>
      <WrittenBy target_id={`${collection}/${doc_id}`} topics={["documents", "skills"]} />
      <details>
        <summary>As a command</summary>
        <div class="stack">
          <Copyable text={`cairn docs get ${shellWord(collection)} ${shellWord(doc_id)}`} />
          <Copyable text={curlOf("getDocument", { path: { doc_id }, query: { collection } })} />
          <a href={docsOf("Documents", "getDocument")} target="_self">
            Documents over HTTP
          </a>
        </div>
      </details>
    </div>
  );
}
