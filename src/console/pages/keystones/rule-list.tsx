import type { Keystone } from "../../api/schemas.gen.ts";
import { Badge, Copyable } from "../../kit/controls.tsx";
import { curlOf } from "../../kit/curl.ts";
import { Empty } from "../../kit/layout.tsx";
import { Text } from "../../kit/text.tsx";
import { Time } from "../../kit/time.tsx";
import { authorOf, boundBy } from "./rule.ts";

interface RuleListProps {
  readonly rules: readonly Keystone[];
  readonly open: string | null;
  readonly onOpen: (id: string) => void;
}

/** Rules in the order in which they are served. */
export const RuleList = ({ rules, open, onOpen }: RuleListProps) => (
  <ul class="rules">
    {rules.map((rule) => (
      <li key={rule.id}>
        <button
          type="button"
          class="list-button"
          data-row
          aria-current={rule.id === open}
          onClick={() => onOpen(rule.id)}
        >
          <Weight of={rule} />
          <span class="rule-gist">
            <strong>
              <Text value={rule.data.title} />
            </strong>
            <span class="one-line dim small">
              <Text value={rule.data.content} max={300} />
            </span>
            <span class="row small">
              <BoundBy rule={rule} />
              {rule.data.locked && <Badge word="locked" />}
              <span class="dim">
                <Text value={rule.doc_id} /> · set by <Text value={authorOf(rule)} max={120} /> ·{" "}
                <Time at={rule.updated_at} />
              </span>
            </span>
          </span>
        </button>
      </li>
    ))}
  </ul>
);

/** How heavy a rule is, of 100. */
export const Weight = ({ of: { data } }: { of: Keystone }) => (
  <span class="rule-weight" title={`Weight ${data.weight} of 100`}>
    <span class="hidden-visually">Weight </span>
    {data.weight}
  </span>
);

const BoundBy = ({ rule }: { rule: Keystone }) => (
  <Badge
    word={boundBy(rule)}
    tone={rule.data.scope === "tenant" ? "good" : rule.data.scope === "agent" ? "warn" : ""}
  />
);

const EXAMPLE = {
  doc_id: "no-force-push",
  title: "Never force-push to main",
  content: "Revert instead.",
  scope: "tenant",
  weight: "high",
} as const;

export const NoRules = () => (
  <Empty title="No rules yet.">
    <p>A keystone is told to every agent that it binds, at the start of its work. Write one above, or by a command:</p>
    <div class="stack">
      <Copyable text='cairn keystones set no-force-push "Never force-push to main." --no-scope --weight high' />
      <Copyable text={curlOf("writeKeystone", { body: EXAMPLE })} />
    </div>
  </Empty>
);
