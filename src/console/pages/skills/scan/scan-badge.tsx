import { Badge } from "../../../kit/controls.tsx";
import { count } from "../../../kit/numbers.ts";

interface ScanBadgeProps {
  readonly state: string | null;
  readonly critical: number | null;
  readonly warn: number | null;
}

/** What the scan said of a skill, in a word. */
export function ScanBadge({ state, critical, warn }: ScanBadgeProps) {
  if (state === null) return <Badge word="not scanned" tone="warn" />;
  if (critical) return <Badge word={`scan: ${count(critical)} critical`} tone="bad" />;
  if (warn) return <Badge word={`scan: ${count(warn)} to look at`} tone="warn" />;
  return <Badge word={`scan: ${state}`} tone={state === "clean" ? "good" : "warn"} />;
}
