import { useEffect, useState } from "preact/hooks";
import type { InboxCard } from "../../../api/schemas.gen.ts";
import { useAddress } from "../../../hooks/address.ts";
import { Badge, Tabs } from "../../../kit/controls.tsx";
import { Panel } from "../../../kit/layout.tsx";
import { Pair } from "../../../kit/pairs.tsx";
import { Text } from "../../../kit/text.tsx";
import { Time } from "../../../kit/time.tsx";
import type { WithFactory } from "../factory.tsx";
import { ScanBadge } from "../scan/scan-badge.tsx";
import { ScannedText } from "../scan/scanned-text.tsx";
import { EvidenceFacts } from "../skill-facts.tsx";
import { Besides } from "./besides.tsx";
import { EditForm } from "./edit-form.tsx";
import { GateTable } from "./gates.tsx";
import { Moves } from "./moves.tsx";
import { PresentVersion } from "./present-version.tsx";

interface CardDetailProps extends WithFactory {
  readonly card: InboxCard;
  readonly isReviewer: boolean;
  /** After it left the inbox, or went to its end. */
  readonly onMoved: () => void;
  readonly reload: () => void;
}

/** One staged skill: what it says, what is known of it, and what can be done with it. */
export function CardDetail({ card, factory, isReviewer, onMoved, reload }: CardDetailProps) {
  const [read, setRead] = useState(card);
  const [isEditing, setEditing] = useState(false);
  const [wantsNew, setWantsNew] = useState(false);
  // What is being read stays as it was opened, until its reader asks for what it became.
  const isChanged = read.digest !== card.digest;
  const shown = isChanged ? read : card;
  useEffect(() => {
    if (!isChanged || !wantsNew) return;
    setRead(card);
    setWantsNew(false);
  }, [card, isChanged, wantsNew]);
  const showNew = () => {
    setWantsNew(true);
    reload();
  };
  useRowFocus(card.slug);
  return (
    <>
      {isChanged && (
        <p class="skills-notice" role="status">
          This skill was written anew while you had it open.{" "}
          <button type="button" class="link" onClick={() => setRead(card)}>
            Show the new text
          </button>
        </p>
      )}
      <Panel title={<Text value={shown.name ?? shown.doc_id} />} actions={<CardBadges card={shown} />}>
        <CardFacts card={shown} />
        {isReviewer && !isEditing && (
          <Moves
            card={shown}
            isChanged={isChanged}
            cooloffDays={factory.rejection_cooloff_days}
            onEdit={() => setEditing(true)}
            onMoved={onMoved}
            onStale={showNew}
          />
        )}
      </Panel>
      {isEditing ? (
        <EditForm
          card={shown}
          factory={factory}
          onCancel={() => setEditing(false)}
          onSaved={() => {
            setEditing(false);
            showNew();
          }}
          onContained={onMoved}
        />
      ) : (
        shown.content !== null && <CardText card={shown} content={shown.content} />
      )}
      {!isEditing && <Besides card={shown} />}
      {shown.gates && (
        <Panel title="Gates">
          <GateTable gates={shown.gates} />
        </Panel>
      )}
    </>
  );
}

const CardBadges = ({ card: { kind, source, deferred_at, ...card } }: { card: InboxCard }) => (
  <>
    <Badge word={source ?? "unknown source"} />
    <Badge word={kind === "update" ? "update" : "new"} tone={kind === "update" ? "warn" : ""} />
    <ScanBadge state={card.scan_state} critical={card.scan_critical} warn={card.scan_warn} />
    {deferred_at && <Badge word="deferred" tone="warn" />}
  </>
);

const CardFacts = ({ card }: { card: InboxCard }) => (
  <dl class="pairs">
    <Pair name="Address">
      <code>
        <Text value={card.doc_id} />
      </code>
    </Pair>
    {card.tags.length > 0 && (
      <Pair name="Tags">
        <Text value={card.tags.join(", ")} />
      </Pair>
    )}
    <EvidenceFacts cites={card.cites} evidence={card.evidence} origin={card.origin} />
    <Pair name="Changed">
      <Time at={card.updated_at} />
    </Pair>
    {card.deferred_at && (
      <Pair name="Deferred">
        <Time at={card.deferred_at} />
      </Pair>
    )}
  </dl>
);

/** The text of a card; of an update also what it changes, which is shown first. */
function CardText({ card, content }: { card: InboxCard; content: string }) {
  const { values, set } = useAddress();
  const { description, summary, sentinel_scan } = card;
  const whole = (
    <ScannedText
      texts={{ content, description, summary }}
      findings={sentinel_scan?.findings ?? []}
      counted={countOf(card)}
    />
  );
  if (card.kind !== "update") return <Panel title="Text">{whole}</Panel>;
  const view = values.view === "text" ? "text" : "changes";
  return (
    <Panel
      title={view === "text" ? "Text" : "Changes"}
      actions={
        <Tabs
          label="What is shown of the update"
          tabs={[
            ["changes", "Changes"],
            ["text", "Whole text"],
          ]}
          current={view}
          onChange={(name) => set({ view: name }, { replace: true })}
        />
      }
    >
      {view === "changes" && countOf(card) > 0 && (
        <p>
          The scan found something in it; <em>Whole text</em> shows where.
        </p>
      )}
      {view === "text" ? whole : <PresentVersion card={card} />}
    </Panel>
  );
}

const countOf = ({ sentinel_scan: scan }: InboxCard): number => (scan ? scan.critical_count + scan.warning_count : 0);

/** After a move the next skill opens: the focus goes to its row, unless it stands somewhere already. */
function useRowFocus(slug: string): void {
  useEffect(() => {
    if (document.activeElement !== document.body) return;
    document.querySelector<HTMLElement>('[data-row][aria-current="true"]')?.focus();
  }, [slug]);
}
