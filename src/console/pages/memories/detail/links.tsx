import { useCall } from "../../../api/query.ts";
import type { MemoryDetail } from "../../../api/schemas.gen.ts";
import { Badge } from "../../../kit/controls.tsx";
import { Show } from "../../../kit/layout.tsx";
import { Text } from "../../../kit/text.tsx";
import { Time } from "../../../kit/time.tsx";
import { useMemoryLink } from "../memory-link.ts";

/** What people, places and things a memory is linked to. */
export const EntityLinks = ({ memory: { entity_links } }: { memory: MemoryDetail }) => (
  <section>
    <h3>Entities</h3>
    {entity_links.length === 0 ? (
      <p class="dim">It is linked to none.</p>
    ) : (
      <ul class="row plain-list">
        {entity_links.map(({ entity_id, role, canonical_name, entity_type }) => (
          <li key={`${entity_id} ${role}`}>
            <a href={`/entities?id=${entity_id}`}>
              <Text value={canonical_name ?? entity_id} max={120} />
            </a>{" "}
            <span class="dim small">{entity_type && entity_type !== role ? `${entity_type}, ${role}` : role}</span>
          </li>
        ))}
      </ul>
    )}
  </section>
);

/** Memories that say nearly the same. */
export function Similar({ id }: { id: string }) {
  const linkTo = useMemoryLink();
  const similar = useCall("listSimilar", { path: { memory_id: id } }, ["memories"]);
  return (
    <section>
      <h3>Similar memories</h3>
      <Show of={similar} lines={2}>
        {({ searchable, items }) => (
          <>
            {!searchable && <p class="dim">It has no embedding, so nothing can be compared with it.</p>}
            {searchable && items.length === 0 && <p class="dim">No other memory says nearly the same.</p>}
            <ul class="plain-list stack">
              {items.map((one) => (
                <li key={one.id}>
                  <a href={linkTo(one.id)}>
                    <Text value={one.content_preview} max={200} />
                  </a>
                  <span class="row small dim">
                    <span>{Math.round(one.similarity * 100)} % alike</span>
                    <Badge word={one.status} />
                    <Time at={one.created_at} />
                  </span>
                </li>
              ))}
            </ul>
          </>
        )}
      </Show>
    </section>
  );
}
