import type { Neighbours as Found, Relation } from "../../api/schemas.gen.ts";
import { GraphPicture } from "../../charts/graph.tsx";
import type { AddressQuery } from "../../hooks/address.ts";
import { Badge, Tabs } from "../../kit/controls.tsx";
import { Empty, Panel } from "../../kit/layout.tsx";
import { count, plural } from "../../kit/numbers.ts";
import { Text } from "../../kit/text.tsx";
import { relationWords } from "./relation-table.tsx";
import { ENTITY_TYPES, entityAddress } from "./types.ts";

interface NeighboursProps {
  readonly id: string;
  readonly found: Found;
  readonly hops: 1 | 2;
  readonly address: AddressQuery;
}

const HOPS = [
  ["1", "1 hop"],
  ["2", "2 hops"],
] as const;

/** What an entity is related to, as a picture and as a list. */
export function Neighbours({ id, found, hops, address }: NeighboursProps) {
  const others = found.nodes.filter((node) => node.id !== id);
  const own = found.nodes.find((node) => node.id === id)?.canonical_name ?? "It";
  const nodes = found.nodes.map((node) => ({
    id: node.id,
    name: node.canonical_name,
    kind: node.entity_type,
    value: node.memory_count,
    isCentre: node.id === id,
  }));
  const links = found.edges.map((edge) => ({
    from: edge.from_entity_id,
    to: edge.to_entity_id,
    name: relationWords(edge),
    isDirected: !edge.inferred,
  }));
  const said = `${own} and ${plural(others.length, "entity", "entities")} related to it within ${plural(hops, "hop")}, joined by ${plural(links.length, "relation")}; the list below says the same.`;
  return (
    <Panel
      title="Neighbours"
      actions={
        <Tabs
          label="How far"
          tabs={HOPS}
          current={`${hops}`}
          onChange={(far) => address.set({ hops: far === "1" ? far : null }, { replace: true })}
        />
      }
    >
      {others.length === 0 ? (
        <Empty title="Related to nothing yet.">Two entities are related once two memories name both.</Empty>
      ) : (
        <>
          <GraphPicture
            label={said}
            nodes={nodes}
            links={links}
            kinds={ENTITY_TYPES}
            onOpen={(opened) => opened !== id && address.set({ id: opened })}
          />
          <details>
            <summary>As a list</summary>
            <NeighbourTable id={id} found={found} />
          </details>
        </>
      )}
    </Panel>
  );
}

function NeighbourTable({ id, found: { nodes, edges, hops } }: { id: string; found: Found }) {
  const names = new Map(nodes.map((node) => [node.id, node.canonical_name]));
  return (
    <div class="table-box">
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Type</th>
            <th scope="col" class="number">
              Memories
            </th>
            <th scope="col" class="number">
              Hops
            </th>
            <th scope="col">Related by</th>
          </tr>
        </thead>
        <tbody>
          {nodes
            .filter((node) => node.id !== id)
            .map((node) => (
              <tr key={node.id} class="entity-row">
                <th scope="row">
                  <a class="entity-name" href={entityAddress(node.id)} data-row>
                    <Text value={node.canonical_name} max={60} />
                  </a>
                </th>
                <td>
                  <Badge word={node.entity_type} />
                </td>
                <td class="number">{count(node.memory_count)}</td>
                <td class="number">{hops[node.id] ?? ""}</td>
                <td>
                  <Text
                    value={towards(node.id, edges, hops)
                      .map((edge) => phrase(edge, node.id, names))
                      .join("; ")}
                  />
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}

/** The relations that lead from a node to those that are nearer. */
const towards = (id: string, edges: readonly Relation[], hops: Found["hops"]): readonly Relation[] =>
  edges.filter(({ from_entity_id, to_entity_id }) => {
    if (from_entity_id !== id && to_entity_id !== id) return false;
    const other = from_entity_id === id ? to_entity_id : from_entity_id;
    return (hops[other] ?? 0) < (hops[id] ?? 0);
  });

/** One relation, seen from one of its ends. */
function phrase(edge: Relation, id: string, names: ReadonlyMap<string, string>): string {
  const [from, to] = [names.get(edge.from_entity_id) ?? "", names.get(edge.to_entity_id) ?? ""];
  if (edge.inferred) return `named together with ${edge.from_entity_id === id ? to : from}`;
  return `${from} ${relationWords(edge)} ${to}`;
}
