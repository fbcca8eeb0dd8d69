import { callFully } from "../../api/call.ts";
import type { Entity } from "../../api/schemas.gen.ts";
import type { AddressQuery } from "../../hooks/address.ts";
import { usePaged } from "../../hooks/paged.ts";
import { Badge, Button, Select } from "../../kit/controls.tsx";
import { Empty, Page, Panel, Show } from "../../kit/layout.tsx";
import { count, plural } from "../../kit/numbers.ts";
import { Origin } from "../../kit/origin.tsx";
import { ProjectSelect } from "../../kit/project-select.tsx";
import { Text } from "../../kit/text.tsx";
import { Time } from "../../kit/time.tsx";
import { ENTITY_TYPES, entityAddress, typeNamed } from "./types.ts";

/** Names in a table; long ones are cut there. */
const NAME_MAX = 80;

/** Every entity, those named most often first, by filters. */
export function EntityList({ address: { values, set } }: { address: AddressQuery }) {
  const { search = "", fleet_id = "" } = values;
  const entity_type = typeNamed(values.entity_type) ?? "";
  const query = { search: search.trim(), entity_type, fleet_id };
  const isFiltered = Object.values(query).some((value) => value !== "");
  const list = usePaged(
    JSON.stringify(query),
    (offset, signal) => callFully("listEntities", { query: { ...query, offset } }, signal),
    ["entities"],
  );
  return (
    <Page title="Entities" about="People, places and things that memories name, those named most often first.">
      <div class="row entity-filters">
        <input
          dir="auto"
          type="search"
          aria-label="Search by name"
          placeholder="Part of a name or of another name"
          value={search}
          onInput={({ currentTarget }) => set({ search: currentTarget.value }, { replace: true })}
        />
        <Select
          label="Type"
          value={entity_type}
          options={[["", "All types"], ...ENTITY_TYPES]}
          onChange={(type) => set({ entity_type: type })}
        />
        <ProjectSelect value={fleet_id} onChange={(chosen) => set({ fleet_id: chosen })} />
      </div>
      <Show of={list} lines={8}>
        {(entities) =>
          entities.length === 0 ? (
            <NoEntities
              isFiltered={isFiltered}
              onClear={() => set({ search: null, entity_type: null, fleet_id: null })}
            />
          ) : (
            <Panel>
              <EntityTable entities={entities} />
              <p class="small dim">{plural(entities.length, "entity", "entities")} shown</p>
              {list.hasMore && (
                <Button disabled={list.loading} onClick={list.loadMore}>
                  More
                </Button>
              )}
            </Panel>
          )
        }
      </Show>
    </Page>
  );
}

const EntityTable = ({ entities }: { entities: readonly Entity[] }) => (
  <div class="table-box">
    <table>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Type</th>
          <th scope="col" class="number">
            Memories
          </th>
          <th scope="col">Project</th>
          <th scope="col">Changed</th>
        </tr>
      </thead>
      <tbody>
        {entities.map(({ id, canonical_name, entity_type, memory_count, fleet_id, updated_at }) => (
          <tr key={id} class="entity-row">
            <th scope="row">
              <a class="one-line" href={entityAddress(id)} data-row>
                <Text value={canonical_name} max={NAME_MAX} />
              </a>
            </th>
            <td>
              <Badge word={entity_type} />
            </td>
            <td class="number">{count(memory_count)}</td>
            <td>
              <Origin of={{ fleet_id }} />
            </td>
            <td>
              <Time at={updated_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const NoEntities = ({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) =>
  isFiltered ? (
    <Empty title="No entity fits.">
      <Button onClick={onClear}>Show all</Button>
    </Empty>
  ) : (
    <Empty title="No entity yet.">
      <p>
        People, places, products and identifiers that memories name appear here by themselves, with what they are
        related to.
      </p>
      <a href="/memories?new=1">Write a memory</a>
    </Empty>
  );
