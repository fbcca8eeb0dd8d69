import { useCall } from "../../../api/query.ts";
import type { MemoryDetail, PossibleConflict } from "../../../api/schemas.gen.ts";
import { Badge } from "../../../kit/controls.tsx";
import { Show } from "../../../kit/layout.tsx";
import type { Span } from "../../../kit/text.tsx";
import { MarkedText } from "../../../kit/text.tsx";
import { Time } from "../../../kit/time.tsx";
import { RESULTS, ruleWords } from "../../conflicts/words.ts";
import { useMemoryLink } from "../memory-link.ts";

/** What a memory clashes with, or maybe does: both texts, and what of each clashes. */
export function Contradictions({ memory }: { memory: MemoryDetail }) {
  const found = useCall("getContradictions", { path: { memory_id: memory.id } }, ["memories", "conflicts"]);
  return (
    <section>
      <h3>Contradictions</h3>
      <Show of={found} lines={2}>
        {({ contradictions, possible_conflicts, checked_at }) => (
          <>
            {contradictions.length + possible_conflicts.length === 0 && (
              <p class="dim">
                {checked_at === null ? (
                  "It was not compared with others yet."
                ) : (
                  <>
                    None was found when it was compared with others, <Time at={checked_at} />.
                  </>
                )}
              </p>
            )}
            <div class="stack">
              {contradictions.map((one) => (
                <Clash key={`${one.memory_id} ${one.rule}`} memory={memory} clash={one} />
              ))}
              {possible_conflicts.map((one) => (
                <Clash key={`${one.memory_id} possible`} memory={memory} clash={one} isPossible />
              ))}
            </div>
          </>
        )}
      </Show>
    </section>
  );
}

interface ClashProps {
  readonly memory: MemoryDetail;
  readonly clash: PossibleConflict;
  readonly isPossible?: boolean;
}

function Clash({ memory, clash, isPossible = false }: ClashProps) {
  const { memory_id, spans, direction } = clash;
  const linkTo = useMemoryLink();
  const other = useCall("getMemory", { path: { memory_id } }, ["memories"]);
  const isNewer = direction === "supersedes";
  return (
    <article class="clash">
      <p class="row small">
        <span>{isNewer ? "This memory is the newer one." : "The other memory is newer."}</span>
        <span class="dim">
          Rule {clash.rule}, {Math.round(clash.confidence * 100)} % sure
        </span>
      </p>
      {isPossible && (
        <p class="small">
          {ruleWords(clash.rule, "possible")}. {RESULTS.possible}
        </p>
      )}
      <p class="small dim">This memory</p>
      <p>
        <Marked content={memory.content} span={spans.own} />
      </p>
      <p class="row small dim">
        <a href={linkTo(memory_id)}>The other</a> <Badge word={clash.status} /> <Time at={clash.created_at} />
      </p>
      <p>
        <Marked content={other.data?.content ?? clash.content_preview} span={spans.other} />
      </p>
    </article>
  );
}

/** The span marked where it fits the text: another version of it may be shown than the one that was compared. */
function Marked({ content, span }: { content: string; span: Span & { readonly text: string } }) {
  const fits = span.end > span.start && content.slice(span.start, span.end) === span.text;
  return <MarkedText value={content} spans={fits ? [span] : []} />;
}
