import { useState } from "preact/hooks";
import { useCall } from "../../api/query.ts";
import type { EntityDetail } from "../../api/schemas.gen.ts";
import type { AddressQuery } from "../../hooks/address.ts";
import { Badge, Button } from "../../kit/controls.tsx";
import { Empty, Page, Panel, Show } from "../../kit/layout.tsx";
import { count } from "../../kit/numbers.ts";
import { Origin } from "../../kit/origin.tsx";
import { Pair } from "../../kit/pairs.tsx";
import { Text } from "../../kit/text.tsx";
import { Time } from "../../kit/time.tsx";
import { EditDialog } from "./edit-dialog.tsx";
import { MergeDialog } from "./merge-dialog.tsx";
import { NamingMemories } from "./naming-memories.tsx";
import { Neighbours } from "./neighbours.tsx";
import { RelationTable } from "./relation-table.tsx";

type Window = { readonly kind: "edit" } | { readonly kind: "merge"; readonly otherId: string | null };

/** The page of one entity. */
export function EntityView({ id, address }: { id: string; address: AddressQuery }) {
  const entity = useCall("getEntity", { path: { entity_id: id } }, ["entities", "memories"]);
  const hops = address.values.hops === "1" ? 1 : 2;
  const around = useCall("entityNeighbours", { path: { entity_id: id }, query: { hops } }, ["entities"]);
  const [opened, setOpened] = useState<Window | null>(null);
  const close = () => setOpened(null);
  const { data } = entity;
  return (
    <Page
      title={data?.canonical_name ?? "Entity"}
      actions={
        <>
          <Button disabled={!data} onClick={() => setOpened({ kind: "edit" })}>
            Rename or retype
          </Button>
          <Button disabled={!data} onClick={() => setOpened({ kind: "merge", otherId: null })}>
            Merge
          </Button>
        </>
      }
    >
      <p class="entity-title">
        <button type="button" class="link" onClick={() => address.set({ id: null, hops: null })}>
          All entities
        </button>
      </p>
      <Show of={entity}>
        {(found) => (
          <>
            <div class="split">
              <Facts entity={found} />
              <Panel title="Newest memories that name it">
                <NamingMemories ids={found.memory_ids} total={found.memory_count} />
              </Panel>
            </div>
            <Show of={around}>
              {(neighbours) => (
                <>
                  <Neighbours id={id} found={neighbours} hops={hops} address={address} />
                  <Panel title="Relations">
                    {found.relations.length === 0 ? (
                      <Empty title="No relation yet.">Two entities are related once two memories name both.</Empty>
                    ) : (
                      <RelationTable relations={found.relations} known={[...neighbours.nodes, found]} />
                    )}
                  </Panel>
                </>
              )}
            </Show>
            {opened?.kind === "edit" && (
              <EditDialog entity={found} onClose={close} onMerge={(otherId) => setOpened({ kind: "merge", otherId })} />
            )}
            {opened?.kind === "merge" && <MergeDialog entity={found} otherId={opened.otherId} onClose={close} />}
          </>
        )}
      </Show>
    </Page>
  );
}

function Facts({ entity }: { entity: EntityDetail }) {
  const { entity_type, canonical_name, aliases, fleet_id, memory_count, attributes, created_at, updated_at } = entity;
  return (
    <Panel title="About">
      <dl class="pairs">
        <Pair name="Name">
          <Text value={canonical_name} />
        </Pair>
        <Pair name="Type">
          <Badge word={entity_type} />
        </Pair>
        <Pair name="Other names">
          {aliases.length === 0 && <span class="dim">none</span>}
          {aliases.map((alias, i) => (
            <span key={alias}>
              {i > 0 && ", "}
              <Text value={alias} />
            </span>
          ))}
        </Pair>
        <Pair name="Project">
          <Origin of={{ fleet_id }} />
        </Pair>
        <Pair name="Memories">{count(memory_count)}</Pair>
        <Pair name="Known">
          since <Time at={created_at} />, changed <Time at={updated_at} />
        </Pair>
      </dl>
      {attributes !== null && Object.keys(attributes).length > 0 && (
        <>
          <h3>Attributes</h3>
          <pre>
            <Text value={JSON.stringify(attributes, null, 2)} />
          </pre>
        </>
      )}
    </Panel>
  );
}
