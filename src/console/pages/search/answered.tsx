import type { AddressQuery } from "../../hooks/address.ts";
import { Panel } from "../../kit/layout.tsx";
import type { Changes } from "./ask/option-bar.tsx";
import type { Address } from "./ask/options.ts";
import { Compare } from "./found/compare.tsx";
import { FoundList } from "./found/found-list.tsx";
import { Nothing } from "./found/nothing.tsx";
import { StageTimes } from "./found/stage-times.tsx";
import type { Answer } from "./use-search.ts";
import { Warnings } from "./warnings.tsx";
import { LeftOut } from "./why/left-out.tsx";
import { MissedId, WhyNot } from "./why/why-not.tsx";

interface AnsweredProps {
  readonly answer: Answer;
  readonly cited: ReadonlySet<string>;
  readonly values: Address;
  readonly onChange: AddressQuery["set"];
}

const NONE_OPEN = "none";

/** An answer with all that explains it. */
export function Answered({ answer, cited, values, onChange }: AnsweredProps) {
  const { asked, reply, took_ms } = answer;
  const { items, diagnostic, warnings } = reply;
  const open = values.open ? values.open.split(",") : null;
  const missed = values.why ?? "";
  const narrow = (changes: Changes) => onChange({ ...changes, open: null });
  return (
    <>
      <Warnings of={warnings} />
      {values.compare === "1" && values.valid_at && asked.valid_at && <Compare then={answer} day={values.valid_at} />}
      <Panel title={asked.valid_at && values.valid_at ? `What was found as of ${values.valid_at}` : "What is found"}>
        {items.length === 0 ? (
          <Nothing answer={answer} values={values} onChange={narrow} />
        ) : (
          <FoundList
            answer={answer}
            open={open}
            onOpen={(ids) => onChange({ open: ids.length === 0 ? NONE_OPEN : ids.join(",") }, { replace: true })}
            cited={cited}
          />
        )}
      </Panel>
      <Panel title="Why not this?">
        <div class="stack">
          <MissedId memory_id={missed} onAsk={(id) => onChange({ why: id })} />
          {missed !== "" && <WhyNot asked={asked} memory_id={missed} onChange={narrow} />}
          {diagnostic && (
            <details open={missed === ""}>
              <summary>Considered but not returned</summary>
              <LeftOut
                candidates={diagnostic.all_candidates}
                chosen={missed}
                onChoose={(id) => onChange({ why: id })}
              />
            </details>
          )}
        </div>
      </Panel>
      {diagnostic && (
        <Panel title="Stages with their times">
          <StageTimes stages={diagnostic.stages} took_ms={took_ms} />
        </Panel>
      )}
    </>
  );
}
