import { useCall } from "../../api/query.ts";
import type { Entity, Relation } from "../../api/schemas.gen.ts";
import { memoryAddress } from "../../kit/memory-words.ts";
import { decimals } from "../../kit/numbers.ts";
import { Text } from "../../kit/text.tsx";
import { entityAddress } from "./types.ts";

interface RelationTableProps {
  readonly relations: readonly Relation[];
  /** Entities whose names are known already. */
  readonly known: readonly Entity[];
}

/** How an entity is related to others. */
export const RelationTable = ({ relations, known }: RelationTableProps) => (
  <div class="table-box">
    <table>
      <thead>
        <tr>
          <th scope="col">From</th>
          <th scope="col">Relation</th>
          <th scope="col">To</th>
          <th scope="col" class="number">
            Weight
          </th>
          <th scope="col">Known by</th>
        </tr>
      </thead>
      <tbody>
        {relations.map((relation) => (
          <tr
            class="entity-row"
            key={`${relation.from_entity_id} ${relation.relation_type} ${relation.to_entity_id} ${relation.id}`}
          >
            <td>
              <EntityName id={relation.from_entity_id} known={known} />
            </td>
            <td>{relationWords(relation)}</td>
            <td>
              <EntityName id={relation.to_entity_id} known={known} />
            </td>
            <td class="number">{decimals(relation.weight)}</td>
            <td>
              <Evidence relation={relation} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** A relation as people say it: `works_for` is "works for". */
export const relationWords = ({ inferred, relation_type }: Relation): string =>
  inferred ? "named together" : relation_type.replaceAll("_", " ");

const Evidence = ({ relation: { inferred, evidence_memory_id } }: { relation: Relation }) => {
  if (inferred) return <>memories that name both</>;
  if (evidence_memory_id === null) return <>entered</>;
  return <a href={memoryAddress(evidence_memory_id)}>a memory</a>;
};

/** A link to an entity by its name, which is fetched where it is not known. */
function EntityName({ id, known }: { id: string; known: readonly Entity[] }) {
  const name = known.find((one) => one.id === id)?.canonical_name;
  const { data } = useCall("getEntity", name === undefined ? { path: { entity_id: id } } : null, ["entities"]);
  return (
    <a class="entity-name" href={entityAddress(id)}>
      <Text value={name ?? data?.canonical_name ?? id} max={60} />
    </a>
  );
}
