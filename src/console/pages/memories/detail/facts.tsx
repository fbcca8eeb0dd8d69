import type { EmbeddingStats, MemoryDetail } from "../../../api/schemas.gen.ts";
import { Badge, Button } from "../../../kit/controls.tsx";
import { VISIBILITIES } from "../../../kit/memory-words.ts";
import { count, decimals } from "../../../kit/numbers.ts";
import { Origin } from "../../../kit/origin.tsx";
import type { NamedValue } from "../../../kit/pairs.tsx";
import { Pairs } from "../../../kit/pairs.tsx";
import { Text } from "../../../kit/text.tsx";
import { Dated } from "../../../kit/time.tsx";

/** Every field of a memory but what it says; those that are empty are left out, where that means nothing. */
export function Facts({ memory, onMove }: { memory: MemoryDetail; onMove: () => void }) {
  const { metadata, system_metadata, subject_entity_id } = memory;
  const tags = tagsOf(metadata);
  const text = (value: string | null) => value && <Text value={value} />;
  const pairs: readonly NamedValue[] = [
    ["Title", text(memory.title)],
    ["Type", <Badge key="type" word={memory.memory_type} tone="type" />],
    ["Status", <Badge key="status" word={memory.status} />],
    ["Weight", decimals(memory.weight)],
    ["Visible to", readersOf(memory)],
    ["Author", text(memory.agent_display_name ?? memory.agent_id)],
    [
      "Project",
      <span key="project" class="row">
        <Origin of={memory} />
        <Button kind="link" label="Move to another project" onClick={onMove}>
          Move…
        </Button>
      </span>,
    ],
    ["Source", memory.source_uri && <Source uri={memory.source_uri} />],
    ["Run", memory.run_id && <a href={`/memories?run_id=${encodeURIComponent(memory.run_id)}`}>{memory.run_id}</a>],
    ["Tags", tags.length > 0 && <Tags key="tags" tags={tags} />],
    ["Written", <Dated key="written" at={memory.created_at} />],
    ["Deleted", memory.deleted_at && <Dated at={memory.deleted_at} />],
    ["Holds from", memory.ts_valid_start && <Dated at={memory.ts_valid_start} />],
    ["Holds until", memory.ts_valid_end && <Dated at={memory.ts_valid_end} />],
    ["Expires", memory.expires_at ? <Dated at={memory.expires_at} /> : "never"],
    ["Subject", subject_entity_id && <a href={`/entities?id=${subject_entity_id}`}>{subjectName(memory)}</a>],
    ["Predicate", text(memory.predicate)],
    ["Object", text(memory.object_value)],
    ["Recalled", `${count(memory.recall_count)} times`],
    ["Last recalled", <Dated key="recalled" at={memory.last_recalled_at} />],
    ["Id", <code key="id">{memory.id}</code>],
    ["Content hash", <code key="hash">{memory.content_hash}</code>],
    ["Embedding", <Embedding key="embedding" stats={memory.embedding_stats} />],
  ];
  return (
    <section>
      <h3>Details</h3>
      <Pairs of={pairs.filter(([, value]) => value)} />
      <Json title="Metadata" value={metadata} />
      <Json title="System metadata" value={system_metadata} />
    </section>
  );
}

/** Without a project there is none whose agents alone would see it. */
const readersOf = ({ visibility, fleet_id }: MemoryDetail): string =>
  visibility === "scope_team" && fleet_id === null
    ? "everyone, as it is in no project"
    : (VISIBILITIES.find(([one]) => one === visibility)?.[1] ?? visibility);

const subjectName = ({ entity_links, subject_entity_id }: MemoryDetail): string =>
  entity_links.find(({ entity_id }) => entity_id === subject_entity_id)?.canonical_name ?? subject_entity_id ?? "";

function tagsOf(metadata: MemoryDetail["metadata"]): string[] {
  const tags = metadata?.tags;
  return Array.isArray(tags) ? [...new Set(tags.map(String))] : [];
}

const Tags = ({ tags }: { tags: readonly string[] }) => (
  <span class="row">
    {tags.map((tag) => (
      <Badge key={tag} word={tag} tone="type" />
    ))}
  </span>
);

/** Addresses of the web are links; what else names a source is text. */
const Source = ({ uri }: { uri: string }) =>
  /^https?:\/\//i.test(uri) ? (
    <a href={uri} target="_blank" rel="noreferrer noopener">
      <Text value={uri} max={120} />
    </a>
  ) : (
    <Text value={uri} />
  );

function Embedding({ stats }: { stats: EmbeddingStats | null }) {
  if (!stats) return <span>not there yet: found by its words alone</span>;
  const { dimensions, min, max, mean, non_zero } = stats;
  return (
    <span>
      {count(dimensions)} dimensions, {count(non_zero)} not zero, from {decimals(min, 3)} to {decimals(max, 3)}, mean{" "}
      {decimals(mean, 4)}
    </span>
  );
}

function Json({ title, value }: { title: string; value: Readonly<Record<string, unknown>> | null }) {
  if (value === null || Object.keys(value).length === 0) return null;
  return (
    <details class="memory-json">
      <summary>
        {title} ({count(Object.keys(value).length)})
      </summary>
      <pre>
        <Text value={JSON.stringify(value, null, 2)} />
      </pre>
    </details>
  );
}
