import type { Loaded } from "../../api/query.ts";
import type { Status } from "../../api/schemas.gen.ts";
import { Badge } from "../../kit/controls.tsx";
import { Panel, Show } from "../../kit/layout.tsx";
import { bytes, count, duration } from "../../kit/numbers.ts";
import type { NamedValue } from "../../kit/pairs.tsx";
import { Pairs } from "../../kit/pairs.tsx";

/** The models, the index, the data, the release. */
export const ServerPanel = ({ status }: { status: Loaded<Status> }) => (
  <Panel title="Server" actions={<a href="/operations">Operations</a>}>
    <Show of={status} lines={7}>
      {(data) => <Pairs of={pairsOf(data)} />}
    </Show>
  </Panel>
);

function pairsOf(status: Status): readonly NamedValue[] {
  const { release, uptime_seconds, health, storage, embedding, judge, llm, search_index } = status;
  const index = [
    ...(search_index.rows === null ? [] : [`${count(search_index.rows)} vectors`]),
    ...(search_index.bytes === null ? [] : [bytes(search_index.bytes)]),
  ];
  const data = [
    ...(storage.data_bytes === null ? [] : [bytes(storage.data_bytes)]),
    ...(storage.free_bytes === null ? [] : [`${bytes(storage.free_bytes)} free`]),
    ...(storage.ephemeral ? ["gone when the server stops"] : []),
  ];
  return [
    ["Release", `${release}, up for ${duration(uptime_seconds)}`],
    ["Health", <Badge key="health" word={health} />],
    ["Embeddings", <Model key="embedding" {...embedding} />],
    ["Judge", <Model key="judge" {...judge} />],
    ["Language model", <Model key="llm" {...llm} phase={null} />],
    ["Search index", <Stated key="index" word={search_index.state} text={index.join(", ")} />],
    ["Data", `${storage.engine}${data.length > 0 ? `: ${data.join(", ")}` : ""}`],
  ];
}

interface ModelProps {
  readonly model: string | null;
  readonly configured: boolean;
  readonly phase: string | null;
}

const Model = ({ model, configured, phase }: ModelProps) =>
  configured ? <Stated word={phase} text={model ?? "yes"} /> : <span class="dim">none</span>;

const Stated = ({ word, text }: { word: string | null; text: string }) => (
  <>
    {text} {word && <Badge word={word} />}
  </>
);
