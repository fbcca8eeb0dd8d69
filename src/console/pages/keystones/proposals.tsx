import { useCall } from "../../api/query.ts";
import type { KeystoneProposal } from "../../api/schemas.gen.ts";
import { Button } from "../../kit/controls.tsx";
import { Panel, Problem } from "../../kit/layout.tsx";
import { Text } from "../../kit/text.tsx";
import { Time } from "../../kit/time.tsx";
import { acceptProposal, dismissProposal } from "./changes.ts";
import { boundBy, overWhat } from "./rule.ts";

/** What agents would change of the rules, for a person to decide; nothing where nothing waits. */
export function Proposals() {
  const { data, problem, reload } = useCall("listKeystoneProposals", {}, ["documents"]);
  if (problem) return <Problem problem={problem} retry={reload} />;
  if (data === null || data.count === 0) return null;
  return (
    <Panel title="Proposed rules">
      <p class="dim">An agent proposed these. They bind nobody, and are told to nobody, until you accept them.</p>
      <ul class="told">
        {data.items.map((one) => (
          <Proposal key={JSON.stringify([one.doc_id, one.place])} proposal={one} onDecided={reload} />
        ))}
      </ul>
    </Panel>
  );
}

const CHANGES = { new: "A new rule", change: "A change of a rule", removal: "The removal of a rule" } as const;

function Proposal({ proposal, onDecided }: { proposal: KeystoneProposal; onDecided: () => void }) {
  const { doc_id, change, rule, fleet_id, current, proposed_by, proposed_over, updated_at } = proposal;
  return (
    <li>
      <div class="told-head">
        <h3>
          {CHANGES[change]}: <Text value={doc_id} />
        </h3>
        <div class="actions">
          <Button
            kind="primary"
            label={`Accept what is proposed of ${doc_id}`}
            onClick={() => acceptProposal(proposal).finally(onDecided)}
          >
            Accept
          </Button>
          <Button
            label={`Dismiss what is proposed of ${doc_id}`}
            onClick={() => dismissProposal(proposal).finally(onDecided)}
          >
            Dismiss
          </Button>
        </div>
      </div>
      <p class="small dim">
        Proposed by <Text value={`${proposed_by}${overWhat(proposed_over)}`} max={200} />, <Time at={updated_at} />
      </p>
      {current && <Version word="As it is" data={current.data} fleet_id={current.fleet_id} />}
      {rule && <Version word={current ? "As it would be" : "It would say"} data={rule} fleet_id={fleet_id} />}
    </li>
  );
}

interface VersionProps {
  readonly word: string;
  readonly data: NonNullable<KeystoneProposal["rule"]>;
  readonly fleet_id: string | null;
}

const Version = ({ word, data, fleet_id }: VersionProps) => (
  <div>
    <p class="small dim">
      {word}; binds <Text value={boundBy({ data, fleet_id })} />, weight {data.weight}:
    </p>
    <p class="rule-text">
      <strong>
        <Text value={data.title} />
      </strong>
      {"\n"}
      <Text value={data.content} />
    </p>
  </div>
);
