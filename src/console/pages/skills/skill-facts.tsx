import { isRecord } from "../../api/problem.ts";
import { memoryAddress } from "../../kit/memory-words.ts";
import { plural } from "../../kit/numbers.ts";
import { Pair } from "../../kit/pairs.tsx";
import { Text } from "../../kit/text.tsx";

/** Where a skill can be looked at, whatever its status. */
export const skillHref = (doc_id: string): string =>
  `/skills?tab=delivered&status=any&skill=${encodeURIComponent(doc_id)}`;

/** Memories that are listed before the rest is folded. */
const CITED_SHOWN = 6;
const MEMORY_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

interface EvidenceProps {
  readonly cites: readonly string[];
  readonly evidence: unknown;
  readonly origin: Readonly<Record<string, unknown>> | null;
}

/** What a skill was drawn from: how much was seen, what its writer says of it, and the memories that it names. */
export function EvidenceFacts({ cites, evidence, origin }: EvidenceProps) {
  const { cluster_size, distinct_agents, agent_id, run_id } = origin ?? {};
  const said = isRecord(evidence) ? evidence : {};
  const note = typeof evidence === "string" ? evidence : said.note;
  const memories = [...new Set([...cites, ...textsOf(said.memory_ids)])];
  return (
    <>
      {typeof agent_id === "string" && (
        <Pair name="Written by">
          <Text value={agent_id} />
        </Pair>
      )}
      {typeof cluster_size === "number" && (
        <Pair name="Seen in">
          {plural(cluster_size, "run")}
          {typeof distinct_agents === "number" && ` of ${plural(distinct_agents, "agent")}`}
          {typeof said.failed_runs === "number" &&
            said.failed_runs > 0 &&
            `, and ${plural(said.failed_runs, "run")} that failed`}
          {typeof run_id === "string" && (
            <>
              {" "}
              (<a href={`/skills?tab=forge&run=${encodeURIComponent(run_id)}`}>run of the Forge</a>)
            </>
          )}
        </Pair>
      )}
      {typeof note === "string" && (
        <Pair name="Evidence">
          <Text value={note} max={2_000} />
        </Pair>
      )}
      {memories.length > 0 && (
        <Pair name="Drawn from">
          <Cited ids={memories} />
        </Pair>
      )}
    </>
  );
}

/** Links to memories; the first few, the rest folded. */
const Cited = ({ ids }: { ids: readonly string[] }) => (
  <>
    <CitedList ids={ids.slice(0, CITED_SHOWN)} />
    {ids.length > CITED_SHOWN && (
      <details>
        <summary>{plural(ids.length - CITED_SHOWN, "more memory", "more memories")}</summary>
        <CitedList ids={ids.slice(CITED_SHOWN)} />
      </details>
    )}
  </>
);

const CitedList = ({ ids }: { ids: readonly string[] }) => (
  <ul class="cited">
    {ids.map((id) => (
      <li key={id}>
        {MEMORY_ID.test(id) ? (
          <a href={memoryAddress(id)}>
            <code>{id}</code>
          </a>
        ) : (
          <Text value={id} max={300} />
        )}
      </li>
    ))}
  </ul>
);

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
