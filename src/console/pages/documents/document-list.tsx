import { callFully } from "../../api/call.ts";
import type { Document } from "../../api/schemas.gen.ts";
import { usePaged } from "../../hooks/paged.ts";
import { Chip, Copyable } from "../../kit/controls.tsx";
import { curlOf, docsOf } from "../../kit/curl.ts";
import { Empty, Panel, Show } from "../../kit/layout.tsx";
import { plural } from "../../kit/numbers.ts";
import { Origin } from "../../kit/origin.tsx";
import { Text } from "../../kit/text.tsx";
import { Time } from "../../kit/time.tsx";
import { VirtualList } from "../../kit/virtual-list.tsx";
import type { Conditions } from "./conditions.ts";
import { asTyped, isNarrowed } from "./conditions.ts";
import { gist } from "./gist.ts";
import { QueryForm } from "./query-form.tsx";

interface DocumentListProps {
  readonly collection: string;
  readonly fleet_id: string | null;
  readonly conditions: Conditions;
  readonly open: string | null;
  readonly onConditions: (conditions: Conditions) => void;
  readonly onOpen: (doc_id: string) => void;
}

const PART = 100;

/** The documents of a collection, as far as the conditions go. */
export function DocumentList({ collection, fleet_id, conditions, open, onConditions, onOpen }: DocumentListProps) {
  const isQuery = isNarrowed(conditions);
  const asked = JSON.stringify([collection, fleet_id, isQuery && conditions]);
  const input = { collection, ...(fleet_id === null ? {} : { fleet_id }), limit: PART };
  const found = usePaged<Document>(
    asked,
    (offset, signal) =>
      isQuery
        ? callFully("queryDocuments", { body: { ...input, ...queryOf(conditions), offset } }, signal)
        : callFully("listDocuments", { query: { ...input, offset } }, signal),
    ["documents", "skills"],
  );
  const { where } = conditions;
  const members = [...new Set((found.data ?? []).flatMap(({ data }) => Object.keys(data)))].sort();
  const without = (name: string) => Object.fromEntries(Object.entries(where).filter(([one]) => one !== name));
  return (
    <Panel
      title={<Text value={collection} />}
      actions={
        <span class="dim">
          {found.data && `${plural(found.data.length, "document")}${found.hasMore ? " so far" : ""}`}
        </span>
      }
    >
      <div class="stack">
        <details class="document-query" open={isQuery}>
          <summary>Find by equal members</summary>
          <QueryForm key={asked} conditions={conditions} members={members} onFind={onConditions} />
          <a href={docsOf("Documents", "queryDocuments")} target="_self">
            The same over HTTP
          </a>
        </details>
        {isQuery && (
          <div class="row">
            {Object.entries(where).map(([name, value]) => (
              <Chip
                key={name}
                name={`${name} =`}
                value={asTyped(value)}
                onRemove={() => onConditions({ ...conditions, where: without(name) })}
              />
            ))}
            {conditions.order_by !== "" && (
              <Chip
                name="ordered by"
                value={conditions.order_by}
                onRemove={() => onConditions({ ...conditions, order_by: "" })}
              />
            )}
          </div>
        )}
        <Show of={found}>
          {(documents) =>
            documents.length === 0 ? (
              <NothingFound isQuery={isQuery} collection={collection} />
            ) : (
              <VirtualList
                items={documents}
                rowHeight={60}
                label={`Documents of ${collection}`}
                keyOf={({ doc_id }) => doc_id}
                openKey={open}
                onOpen={({ doc_id }) => onOpen(doc_id)}
                onEnd={found.loadMore}
                row={(document) => <Row {...document} />}
              />
            )
          }
        </Show>
      </div>
    </Panel>
  );
}

/** Without an order of one's own, the newest change comes first, as in the plain list. */
const queryOf = ({ where, order_by, order }: Conditions) =>
  order_by === "" ? { where, order: "desc" as const } : { where, order_by, order };

const Row = ({ doc_id, data, updated_at, fleet_id }: Document) => (
  <>
    <div class="document-row">
      <strong class="one-line">
        <Text value={doc_id} />
      </strong>
      <small class="dim">
        <Origin of={{ fleet_id }} /> · <Time at={updated_at} />
      </small>
    </div>
    <div class="one-line dim small">
      <Text value={gist(data)} />
    </div>
  </>
);

const NothingFound = ({ isQuery, collection }: { isQuery: boolean; collection: string }) =>
  isQuery ? (
    <Empty title="No document has these members.">Value and type must be equal: 10 is not "10".</Empty>
  ) : (
    <Empty title="This collection is empty, or holds nothing that you may see.">
      <Copyable
        text={curlOf("writeDocument", { body: { collection, doc_id: "first", data: { summary: "What it is" } } })}
      />
    </Empty>
  );
