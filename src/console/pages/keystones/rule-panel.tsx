import { useState } from "preact/hooks";
import type { Keystone } from "../../api/schemas.gen.ts";
import { Button, Copyable } from "../../kit/controls.tsx";
import { docsOf, shellWord } from "../../kit/curl.ts";
import { Panel } from "../../kit/layout.tsx";
import { count } from "../../kit/numbers.ts";
import { Pair } from "../../kit/pairs.tsx";
import { Text } from "../../kit/text.tsx";
import { Time } from "../../kit/time.tsx";
import { WrittenBy } from "../../kit/written-by.tsx";
import { deleteRule, lockRule, replaceRule } from "./changes.ts";
import { asWritten, authorOf, boundBy, lengthOf, placeFlags, placeOf, RULES } from "./rule.ts";
import { RuleEditor } from "./rule-editor.tsx";

interface RulePanelProps {
  readonly rule: Keystone;
  /** Rules of the same name that stand elsewhere. */
  readonly namesakes: readonly Keystone[];
  readonly hrefOf: (id: string) => string;
  readonly isEdited: boolean;
  readonly onEdit: (isEdited: boolean) => void;
  /** Called with the rule as it is now: at another place it is another row. */
  readonly onSaved: (rule: Keystone) => void;
  /** Called when the rule is no longer as it was given. */
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

/** One rule: what it says, whom it binds, who wrote it; edited and deleted here. */
export function RulePanel(props: RulePanelProps) {
  const { rule, isEdited, onEdit, onSaved, onChanged, onClose } = props;
  const [begun, setBegun] = useState(rule);
  const edit = () => {
    setBegun(rule);
    onEdit(true);
  };
  const remove = async () => {
    await deleteRule(rule);
    onClose();
    onChanged();
  };
  return (
    <Panel
      title={<Text value={rule.data.title} />}
      actions={
        <>
          {!isEdited && <Button onClick={edit}>Edit</Button>}
          <Button onClick={() => lockRule(rule, !rule.data.locked).finally(onChanged)}>
            {rule.data.locked ? "Unlock" : "Lock"}
          </Button>
          <Button kind="danger" onClick={remove}>
            Delete
          </Button>
          <Button label="Close the rule" onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      {isEdited && begun.updated_at !== rule.updated_at && (
        <div class="document-note" role="status">
          Somebody changed this rule since you began. <Button onClick={edit}>Begin anew from that</Button>
        </div>
      )}
      {isEdited ? (
        <RuleEditor
          key={begun.updated_at}
          rule={asWritten(begun)}
          isNew={false}
          onSave={async (body) => {
            onSaved(await replaceRule(begun, body).finally(onChanged));
          }}
          onCancel={() => onEdit(false)}
        />
      ) : (
        <Shown {...props} />
      )}
    </Panel>
  );
}

function Shown({ rule, namesakes, hrefOf }: Pick<RulePanelProps, "rule" | "namesakes" | "hrefOf">) {
  const { doc_id, data, created_at, updated_at } = rule;
  return (
    <div class="stack">
      <p class="rule-text">
        <Text value={data.content} />
      </p>
      <dl class="pairs">
        <Pair name="Binds">
          <Text value={boundBy(rule)} />
        </Pair>
        <Pair name="Weight">{data.weight} of 100</Pair>
        <Pair name="Name">
          <code>{doc_id}</code>
        </Pair>
        {namesakes.length > 0 && (
          <Pair name="The same name stands also for">
            <ul class="plain-list">
              {namesakes.map((other) => (
                <li key={other.id}>
                  <a href={hrefOf(other.id)}>
                    <Text value={boundBy(other)} />
                  </a>
                </li>
              ))}
            </ul>
          </Pair>
        )}
        <Pair name="Characters">{count(lengthOf(rule))}</Pair>
        <Pair name="Set by">
          <Text value={authorOf(rule)} />
        </Pair>
        <Pair name="Locked">{data.locked ? "Only administrators change or remove it." : "No."}</Pair>
        {data.author_user_id && (
          <Pair name="Author, as whoever set it says">
            <Text value={data.author_user_id} />
          </Pair>
        )}
        <Pair name="Created">
          <Time at={created_at} />
        </Pair>
        <Pair name="Changed">
          <Time at={updated_at} />
        </Pair>
      </dl>
      <h3>Who wrote it</h3>
      <WrittenBy target_id={`${RULES}/${doc_id}`} topics={["documents"]} />
      <details>
        <summary>As a command</summary>
        <div class="stack">
          <Copyable text={`cairn keystones rm ${shellWord(doc_id)}${placeFlags(placeOf(rule))}`} />
          <a href={docsOf("Keystones", "writeKeystone")} target="_self">
            Keystones over HTTP
          </a>
        </div>
      </details>
    </div>
  );
}
