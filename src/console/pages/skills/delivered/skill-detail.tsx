import { useState } from "preact/hooks";
import { isRecord } from "../../../api/problem.ts";
import { useCall } from "../../../api/query.ts";
import type { Document } from "../../../api/schemas.gen.ts";
import { Badge, Button } from "../../../kit/controls.tsx";
import { copyText } from "../../../kit/copy.ts";
import { Panel, Show } from "../../../kit/layout.tsx";
import { Origin } from "../../../kit/origin.tsx";
import { Pair } from "../../../kit/pairs.tsx";
import { Text } from "../../../kit/text.tsx";
import { Time } from "../../../kit/time.tsx";
import { DeclineDialog } from "../decline-dialog.tsx";
import { REJECT } from "../declines.ts";
import type { WithFactory } from "../factory.tsx";
import { ScannedText } from "../scan/scanned-text.tsx";
import { EvidenceFacts } from "../skill-facts.tsx";
import { skillFile } from "./skill-file.ts";
import { STATUSES, statusOf, toneOf } from "./statuses.ts";

/** One skill of any status: what it says, where it came from, and its file. */
export function SkillDetail({ doc_id, factory }: WithFactory & { doc_id: string }) {
  const skill = useCall("getDocument", { path: { doc_id }, query: { collection: "skills" } }, ["skills", "documents"]);
  return <Show of={skill}>{(document) => <Detail document={document} factory={factory} reload={skill.reload} />}</Show>;
}

interface DetailProps extends WithFactory {
  readonly document: Document;
  readonly reload: () => void;
}

function Detail({ document, factory, reload }: DetailProps) {
  const { doc_id, data } = document;
  const status = factory.enabled ? statusOf(data.status) : null;
  const file = skillFile(document);
  const name = textOf(data.name) ?? doc_id;
  return (
    <>
      <Panel
        title={<Text value={name} />}
        actions={
          <>
            {status && <Badge word={status} tone={toneOf(status)} />}
            {file !== null && <Button onClick={() => copyText(file, "Copied as SKILL.md.")}>Copy as SKILL.md</Button>}
            {status === "quarantined" && (
              <RejectButton slug={doc_id} name={name} cooloffDays={factory.rejection_cooloff_days} onDone={reload} />
            )}
          </>
        }
      >
        {status && (
          <p>
            {STATUSES[status]}
            {status === "staged" && (
              <>
                {" "}
                <a href={`/skills?slug=${encodeURIComponent(doc_id)}`}>Open it there</a>
              </>
            )}
          </p>
        )}
        <SkillFacts document={document} />
      </Panel>
      <Panel title="Text">
        <SkillText data={data} />
      </Panel>
    </>
  );
}

function SkillFacts({ document: { doc_id, data, fleet_id, updated_at } }: { document: Document }) {
  const source = textOf(data.source);
  const cites = Array.isArray(data.cites) ? data.cites.filter((one): one is string => typeof one === "string") : [];
  return (
    <dl class="pairs">
      <Pair name="Address">
        <code>
          <Text value={doc_id} />
        </code>
      </Pair>
      {source !== null && (
        <Pair name="Source">
          <Text value={source} />
        </Pair>
      )}
      <Pair name="Project">
        <Origin of={{ fleet_id }} />
      </Pair>
      <EvidenceFacts cites={cites} evidence={data.evidence} origin={isRecord(data.origin) ? data.origin : null} />
      <Pair name="Changed">
        <Time at={updated_at} />
      </Pair>
    </dl>
  );
}

function SkillText({ data }: { data: Document["data"] }) {
  const scan = isRecord(data.scan) ? data.scan : {};
  const counted = [scan.critical, scan.warn, scan.info].reduce<number>(
    (sum, one) => sum + (typeof one === "number" ? one : 0),
    0,
  );
  const texts = {
    content: textOf(data.content) ?? "",
    description: textOf(data.description),
    summary: textOf(data.summary),
  };
  return <ScannedText texts={texts} findings={scan.findings} counted={counted} />;
}

interface RejectButtonProps {
  readonly slug: string;
  readonly name: string;
  readonly cooloffDays: number;
  readonly onDone: () => void;
}

/** The one way out of quarantine. */
function RejectButton({ onDone, slug, name, cooloffDays }: RejectButtonProps) {
  const [asks, setAsks] = useState(false);
  return (
    <>
      <Button kind="danger" onClick={() => setAsks(true)}>
        Reject…
      </Button>
      {asks && (
        <DeclineDialog
          decline={REJECT}
          skill={{ slug, name }}
          cooloffDays={cooloffDays}
          onClose={() => setAsks(false)}
          onDone={onDone}
        />
      )}
    </>
  );
}

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
