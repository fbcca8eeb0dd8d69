import { useMemo, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { MemoryMap } from "../../../api/schemas.gen.ts";
import { Scatter } from "../../../charts/scatter.tsx";
import { Badge } from "../../../kit/controls.tsx";
import { memoryAddress } from "../../../kit/memory-words.ts";
import { count, plural } from "../../../kit/numbers.ts";
import { Text } from "../../../kit/text.tsx";
import { Time } from "../../../kit/time.tsx";
import { ClusterList } from "./cluster-list.tsx";

/** The map, what is pointed at, and its clusters as a list. */
export function MemoryMapView({ map: { points, clusters, left_out } }: { map: MemoryMap }) {
  const { route } = useLocation();
  const [pointed, setPointed] = useState<string | null>(null);
  const [open, setOpen] = useState<number | null>(null);
  const drawn = useMemo(() => points.map(({ cluster, ...point }) => ({ ...point, group: cluster })), [points]);
  const groups = useMemo(
    () => clusters.map(({ id, words, x, y }) => ({ id, x, y, words: words.slice(0, 2).join(", ") })),
    [clusters],
  );
  const shown = points.find(({ id }) => id === pointed);
  const { without_vector, beyond_limit } = left_out;
  const rest = [
    ...(beyond_limit > 0 ? [`${count(beyond_limit)} older ones are not drawn`] : []),
    ...(without_vector > 0 ? [`${count(without_vector)} have no vector`] : []),
  ].join("; ");
  return (
    <div class="map">
      <div class="stack">
        <Scatter
          label={`Map of ${plural(points.length, "memory", "memories")} in ${plural(clusters.length, "cluster")}. Arrow keys go from memory to memory, Enter opens one; the clusters stand beside as a list.`}
          points={drawn}
          groups={groups}
          pointed={pointed}
          group={open}
          onPoint={setPointed}
          onOpen={(id) => route(memoryAddress(id))}
        />
        <p class="map-said" aria-live="polite">
          {shown ? (
            <>
              <Badge word={shown.memory_type} />{" "}
              <a href={memoryAddress(shown.id)}>
                <Text value={shown.preview} />
              </a>{" "}
              <span class="dim">
                <Time at={shown.created_at} />
              </span>
            </>
          ) : (
            <span class="dim">Point at a memory to read how it begins; click opens it.</span>
          )}
        </p>
        <p class="dim small">
          {plural(points.length, "memory", "memories")}, the newest; what is alike lies together{rest && `; ${rest}`}.
        </p>
      </div>
      <ClusterList points={points} clusters={clusters} open={open} onOpen={setOpen} />
    </div>
  );
}
