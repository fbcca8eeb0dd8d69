import { FindingList } from "./finding-list.tsx";
import { FindingText, jumpTo, NumberedText } from "./finding-text.tsx";
import type { Finding } from "./findings.ts";
import { findingsOf } from "./findings.ts";

interface ScannedTextProps {
  readonly texts: { readonly content: string; readonly description: string | null; readonly summary: string | null };
  /** The findings of the scan, as the skill carries them. */
  readonly findings: unknown;
  /** How many the scan counted. */
  readonly counted: number;
}

/** The texts of a skill with what the scan found in them. */
export function ScannedText({ texts: { content, description, summary }, findings, counted }: ScannedTextProps) {
  const found = findingsOf(findings);
  const within = (locator: string): Finding[] => found.filter((one) => one.locator === locator);
  return (
    <div class="stack">
      {found.length > 0 && (
        <section aria-labelledby="findings-title">
          <h3 id="findings-title">What the scan found</h3>
          <FindingList findings={found} counted={counted} content={content} onJump={({ number }) => jumpTo(number)} />
        </section>
      )}
      {description !== null && (
        <p>
          <FindingText value={description} findings={within("description")} />
        </p>
      )}
      {summary !== null && summary !== description && (
        <p class="dim">
          <FindingText value={summary} findings={within("summary")} />
        </p>
      )}
      <NumberedText value={content} findings={within("content")} />
    </div>
  );
}
