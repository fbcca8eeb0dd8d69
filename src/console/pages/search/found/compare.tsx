import { useCall } from "../../../api/query.ts";
import type { Memory, SearchReply, SearchRequest } from "../../../api/schemas.gen.ts";
import { Badge } from "../../../kit/controls.tsx";
import { Panel, Show } from "../../../kit/layout.tsx";
import { memoryAddress } from "../../../kit/memory-words.ts";
import { Text } from "../../../kit/text.tsx";
import type { Answer } from "../use-search.ts";

/** What is returned now beside what was returned as of a day: what came, what went, what changed its rank. */
export function Compare({ then, day }: { then: Answer; day: string }) {
  const { valid_at: _, ...asked } = then.asked;
  const today: SearchRequest = asked;
  const now = useCall("searchMemories", { body: today }, ["memories"]);
  return (
    <Panel title={`As of ${day}, and now`}>
      <Show of={now}>
        {(reply) => {
          // Safe: no fields are chosen, so that the rows are whole.
          const { items } = reply as SearchReply;
          return (
            <div class="compare">
              <Side title={`As of ${day}`} items={then.reply.items} others={items} isThen />
              <Side title="Now" items={items} others={then.reply.items} isThen={false} />
            </div>
          );
        }}
      </Show>
    </Panel>
  );
}

interface SideProps {
  readonly title: string;
  readonly items: readonly Memory[];
  readonly others: readonly Memory[];
  readonly isThen: boolean;
}

const Side = ({ title, items, others, isThen }: SideProps) => (
  <section class="stack">
    <h3>{title}</h3>
    {items.length === 0 && <p class="dim">Nothing was found.</p>}
    <ol class="compare-list">
      {items.map(({ id, content, status }, i) => (
        <li key={id}>
          <span class="row">
            <strong>{i + 1}</strong>
            <Change from={i} to={others.findIndex((other) => other.id === id)} isThen={isThen} />
            <Badge word={status} />
          </span>
          <a href={memoryAddress(id)}>
            <Text value={content} max={160} />
          </a>
        </li>
      ))}
    </ol>
  </section>
);

/** What became of a row, or where it was; `to` is its place on the other side, below 0 for none. */
function Change({ from, to, isThen }: { from: number; to: number; isThen: boolean }) {
  if (to < 0) return isThen ? <Badge word="went" tone="bad" /> : <Badge word="came" tone="good" />;
  if (to === from) return <Badge word="same rank" tone="plain" />;
  if (isThen) return <Badge word={`now at ${to + 1}`} tone="plain" />;
  return <Badge word={from < to ? `up from ${to + 1}` : `down from ${to + 1}`} tone="warn" />;
}
