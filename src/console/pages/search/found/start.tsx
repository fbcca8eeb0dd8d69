import { useCall } from "../../../api/query.ts";
import type { Memory } from "../../../api/schemas.gen.ts";
import { Copyable } from "../../../kit/controls.tsx";
import { Empty, Panel, Show } from "../../../kit/layout.tsx";
import { cutTo, Text } from "../../../kit/text.tsx";

const EXAMPLES = 6;
const QUESTION_MAX = 120;

/** What stands on the page before anything is asked: what could be asked of what there is. */
export function Start() {
  const newest = useCall("listMemories", { query: { limit: EXAMPLES, sort: "created_at", order: "desc" } }, [
    "memories",
  ]);
  return (
    <Panel>
      <Show of={newest}>
        {({ items }) => {
          const questions = items.map(questionOf).filter((one, i, all) => one !== "" && all.indexOf(one) === i);
          if (questions.length === 0) return <NoMemories />;
          return (
            <Empty title="Ask what your agents would be told">
              <p>Such as what was written last:</p>
              <ul class="start-list">
                {questions.map((question) => (
                  <li key={question}>
                    <a data-row href={`/search?q=${encodeURIComponent(question)}`}>
                      <Text value={question} />
                    </a>
                  </li>
                ))}
              </ul>
            </Empty>
          );
        }}
      </Show>
    </Panel>
  );
}

/** What to ask for to find a memory: its title, without the sign that it was cut. */
const questionOf = ({ title, content }: Partial<Pick<Memory, "title" | "content">>): string =>
  cutTo((title ?? content ?? "").replace(/…$/, ""), QUESTION_MAX)
    .replace(/…$/, "")
    .trim();

export const NoMemories = () => (
  <Empty title="There is no memory yet">
    <p>Write one, then ask for it:</p>
    <Copyable text={'cairn add "Deploys go out every Tuesday after the standup."'} />
  </Empty>
);
