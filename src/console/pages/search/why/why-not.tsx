import { useEffect, useState } from "preact/hooks";
import { useCall } from "../../../api/query.ts";
import type { SearchRequest, WhyNotReply } from "../../../api/schemas.gen.ts";
import { Button, Field } from "../../../kit/controls.tsx";
import { Problem, Show } from "../../../kit/layout.tsx";
import { memoryAddress } from "../../../kit/memory-words.ts";
import { count, decimals } from "../../../kit/numbers.ts";
import { Pair } from "../../../kit/pairs.tsx";
import { Text } from "../../../kit/text.tsx";
import type { Changes } from "../ask/option-bar.tsx";
import { LinkedText } from "../linked-text.tsx";
import { Warnings } from "../warnings.tsx";
import { remediesFor } from "./remedies.ts";
import { Steps } from "./steps.tsx";
import { scaleOf, WhyHere } from "./why-here.tsx";

interface WhyNotProps {
  readonly asked: SearchRequest;
  readonly memory_id: string;
  readonly onChange: (changes: Changes) => void;
}

/** Why a search does not return a memory, and what to change so that it does. */
export function WhyNot({ asked, memory_id, onChange }: WhyNotProps) {
  const told = useCall("whyNot", { body: { ...asked, memory_id } }, ["memories"]);
  return (
    <div class={told.loading ? "is-old" : ""} aria-busy={told.loading}>
      {told.problem?.status === 404 && <p>It may be private to another agent: choose that one under “As the agent”.</p>}
      <Show of={told.problem ? { ...told, data: null } : told}>
        {(reply) => <Told reply={reply} caller_agent_id={asked.caller_agent_id} onChange={onChange} />}
      </Show>
    </div>
  );
}

interface ToldProps {
  readonly reply: WhyNotReply;
  readonly caller_agent_id: SearchRequest["caller_agent_id"];
  readonly onChange: (changes: Changes) => void;
}

function Told({ reply, caller_agent_id, onChange }: ToldProps) {
  const { memory_id, message, change, rank, returned, candidate, best_returned, gap, checks, warnings } = reply;
  const query = caller_agent_id ? { agent_id: caller_agent_id } : {};
  const memory = useCall("getMemory", { path: { memory_id }, query }, ["memories"]);
  const remedies = change ? remediesFor(change) : [];
  return (
    <div class="stack">
      {memory.problem && <Problem problem={memory.problem} retry={memory.reload} />}
      {memory.data && (
        <a href={memoryAddress(memory_id)}>
          <Text value={memory.data.content} max={240} />
        </a>
      )}
      <p class={returned ? "verdict good" : "verdict"}>
        <LinkedText value={message} />
      </p>
      {remedies.length > 0 && (
        <div class="row">
          {remedies.map(({ words, changes }) => (
            <Button key={words} onClick={() => onChange(changes)}>
              {words}
            </Button>
          ))}
        </div>
      )}
      <dl class="pairs small">
        {rank !== null && <Pair name="Rank">{count(rank)}</Pair>}
        {candidate && <Pair name="Its score">{decimals(candidate.score, 4)}</Pair>}
        {best_returned && <Pair name="Best returned">{decimals(best_returned.score, 4)}</Pair>}
        {gap !== null && gap > 0 && <Pair name="Lacks to the last returned">{decimals(gap, 4)}</Pair>}
      </dl>
      <Steps checks={checks} />
      <Warnings of={warnings} />
      {candidate && (
        <details>
          <summary>What counted for and against it</summary>
          <WhyHere candidate={candidate} scale={scaleOf([candidate])} />
        </details>
      )}
    </div>
  );
}

/** Where the id of the memory that is missed is written. */
export function MissedId({ memory_id, onAsk }: { memory_id: string; onAsk: (id: string) => void }) {
  const [typed, setTyped] = useState(memory_id);
  useEffect(() => setTyped(memory_id), [memory_id]);
  const submit = (event: Event) => {
    event.preventDefault();
    onAsk(typed.trim());
  };
  return (
    <form class="missed" onSubmit={submit}>
      <Field label="Id of the memory that is missed">
        {(id) => (
          <input dir="auto" id={id} value={typed} onInput={({ currentTarget }) => setTyped(currentTarget.value)} />
        )}
      </Field>
      <button type="submit">Why not this?</button>
    </form>
  );
}
