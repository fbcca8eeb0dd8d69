import type { MemoryMap } from "../../../api/schemas.gen.ts";
import { isRound, swatchOf } from "../../../charts/colours.ts";
import { memoryAddress } from "../../../kit/memory-words.ts";
import { count, plural } from "../../../kit/numbers.ts";
import { Text } from "../../../kit/text.tsx";

interface ClusterListProps extends Pick<MemoryMap, "points" | "clusters"> {
  readonly open: number | null;
  readonly onOpen: (cluster: number | null) => void;
}

/** Memories listed of a cluster that is open. */
const LISTED_MAX = 100;

/** The clusters of a map with their words, each with its memories; the open one alone is bright on the map. */
export const ClusterList = ({ points, clusters, open, onOpen }: ClusterListProps) => (
  <section class="clusters" aria-label="Clusters">
    <h3>Clusters</h3>
    <ul>
      {clusters.map(({ id, size, words }) => (
        <li key={id}>
          <button
            type="button"
            class="cluster"
            data-row
            aria-expanded={open === id}
            onClick={() => onOpen(open === id ? null : id)}
          >
            <span
              class={`swatch ${isRound(id) ? "is-round" : ""}`}
              style={{ background: swatchOf(id) }}
              aria-hidden="true"
            />
            <span class="cluster-words">
              <Text value={words.join(", ") || "no words of its own"} />
            </span>
            <span class="dim">{count(size)}</span>
          </button>
          {open === id && <Members points={points.filter(({ cluster }) => cluster === id)} />}
        </li>
      ))}
    </ul>
  </section>
);

const Members = ({ points }: Pick<MemoryMap, "points">) => (
  <ul class="cluster-members">
    {points.slice(0, LISTED_MAX).map(({ id, preview }) => (
      <li key={id}>
        <a href={memoryAddress(id)}>
          <Text value={preview} />
        </a>
      </li>
    ))}
    {points.length > LISTED_MAX && <li class="dim">and {plural(points.length - LISTED_MAX, "older one")}</li>}
  </ul>
);
