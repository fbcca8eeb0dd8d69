import type { InboxCard } from "../../../api/schemas.gen.ts";
import { Badge } from "../../../kit/controls.tsx";
import { plural } from "../../../kit/numbers.ts";
import { Text } from "../../../kit/text.tsx";
import { Time } from "../../../kit/time.tsx";
import { ScanBadge } from "../scan/scan-badge.tsx";
import { GateCount } from "./gates.tsx";

const SUMMARY_SHOWN = 160;

interface InboxRowProps {
  readonly card: InboxCard;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

/** One skill that waits, as the list shows it. */
export function InboxRow({ card, isOpen, onOpen }: InboxRowProps) {
  const { name, doc_id, summary, description, source, kind, deferred_at, forge_evidence, cites, updated_at } = card;
  return (
    <button type="button" class="skills-row" data-row aria-current={isOpen} onClick={onOpen}>
      <strong>
        <Text value={name ?? doc_id} max={120} />
      </strong>
      <span class="row">
        <Badge word={source ?? "unknown source"} />
        {kind === "update" && <Badge word="update" tone="warn" />}
        <ScanBadge state={card.scan_state} critical={card.scan_critical} warn={card.scan_warn} />
        {card.gates && <GateCount gates={card.gates} />}
        {deferred_at && <Badge word="deferred" tone="warn" />}
      </span>
      <Text value={summary ?? description ?? ""} max={SUMMARY_SHOWN} />
      <small class="dim">
        {[
          forge_evidence?.cluster_size != null && plural(forge_evidence.cluster_size, "run"),
          forge_evidence?.distinct_agents != null && plural(forge_evidence.distinct_agents, "agent"),
          cites.length > 0 && `${plural(cites.length, "memory", "memories")} cited`,
        ]
          .filter((part) => part !== false)
          .map((part) => `${part} · `)}
        <Time at={updated_at} />
      </small>
    </button>
  );
}
