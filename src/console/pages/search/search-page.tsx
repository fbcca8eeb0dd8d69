import { useAddress } from "../../hooks/address.ts";
import { Tabs } from "../../kit/controls.tsx";
import { Loading, Page, Panel, Problem } from "../../kit/layout.tsx";
import { Answered } from "./answered.tsx";
import { DayChoice } from "./ask/day-choice.tsx";
import { OptionBar } from "./ask/option-bar.tsx";
import { requestIn } from "./ask/options.ts";
import { QuestionBox } from "./ask/question-box.tsx";
import { Start } from "./found/start.tsx";
import { RecallPanel } from "./recall/recall-panel.tsx";
import { useRecall } from "./recall/use-recall.ts";
import { useSearch } from "./use-search.ts";

/** What agents would be told, and why. */
export function SearchPage() {
  const { values, set } = useAddress();
  const asked = requestIn(values);
  const found = useSearch(asked);
  const isRecalled = values.recall === "1";
  const { recall, cited } = useRecall(isRecalled ? asked : null);
  const ask = (question: string, isEntered: boolean) => {
    if (question !== (values.q ?? "").trim()) return set({ q: question, open: null }, { replace: !isEntered });
    if (!isEntered) return;
    found.reload();
    recall.reload();
  };
  const narrow = (changes: Readonly<Record<string, string | null>>) => set({ ...changes, open: null });
  const view = values.view === "recall" ? "recall" : "found";
  const { data, problem, loading } = found;
  const ids = data?.reply.items.map(({ id }) => id) ?? [];
  return (
    <Page title="Search" about="What agents would be told, and why">
      <Panel class="stack">
        <QuestionBox question={(values.q ?? "").trim()} onAsk={ask} />
        <OptionBar values={values} onChange={narrow} />
        <div class="row search-switches">
          <DayChoice day={values.valid_at ?? ""} isCompared={values.compare === "1"} onChange={narrow} />
          <label class="small">
            <input
              type="checkbox"
              checked={isRecalled}
              onChange={({ currentTarget }) => set({ recall: currentTarget.checked ? "1" : null, view: null })}
            />{" "}
            Recall beside it
          </label>
        </div>
      </Panel>
      {asked === null && <Start />}
      {asked && isRecalled && (
        <div class="search-tabs">
          <Tabs
            label="Show"
            tabs={[
              ["found", "What is found"],
              ["recall", "Recall"],
            ]}
            current={view}
            onChange={(next) => set({ view: next === "recall" ? next : null })}
          />
        </div>
      )}
      {asked && (
        <div class={`search-columns show-${view} ${isRecalled ? "with-recall" : ""}`}>
          <div class={`stack search-found ${loading ? "is-old" : ""}`} aria-busy={loading}>
            {problem && <Problem problem={problem} retry={found.reload} />}
            {data && <Answered answer={data} cited={cited} values={values} onChange={set} />}
            {!data && !problem && <Loading lines={8} />}
          </div>
          {isRecalled && (
            <div class="search-recall">
              <RecallPanel of={recall} found={ids} onGo={() => view === "recall" && set({ view: null })} />
            </div>
          )}
        </div>
      )}
    </Page>
  );
}
