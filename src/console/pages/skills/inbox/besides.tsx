import type { InboxCard } from "../../../api/schemas.gen.ts";
import { Panel } from "../../../kit/layout.tsx";
import { Pair } from "../../../kit/pairs.tsx";
import { Text } from "../../../kit/text.tsx";
import { FindingText } from "../scan/finding-text.tsx";
import { findingsOf } from "../scan/findings.ts";

/** What is delivered with the text of a skill: nobody approves what was not shown. */
export function Besides({ card: { support_files, others, sentinel_scan } }: { readonly card: InboxCard }) {
  const found = findingsOf(sentinel_scan?.findings);
  return (
    <>
      {(support_files ?? []).map((file, i) => (
        <Panel key={i} title={`Support file ${i + 1}`}>
          <Members of={file} within={(name) => found.filter((one) => one.locator === `support_files[${i}].${name}`)} />
        </Panel>
      ))}
      {others && Object.keys(others).length > 0 && (
        <Panel title="What else it holds">
          <Members of={others} within={(name) => found.filter((one) => one.locator === name)} />
        </Panel>
      )}
    </>
  );
}

interface MembersProps {
  readonly of: Readonly<Record<string, unknown>>;
  readonly within: (name: string) => ReturnType<typeof findingsOf>;
}

const Members = ({ of, within }: MembersProps) => (
  <dl class="pairs">
    {Object.entries(of).map(([name, value]) => (
      <Pair key={name} name={<Text value={name} />}>
        <pre>
          <FindingText
            value={typeof value === "string" ? value : JSON.stringify(value, null, 2)}
            findings={within(name)}
          />
        </pre>
      </Pair>
    ))}
  </dl>
);
