import { Badge } from "../../../kit/controls.tsx";
import { plural } from "../../../kit/numbers.ts";
import { Text } from "../../../kit/text.tsx";
import type { Finding } from "./findings.ts";
import { lineAt } from "./findings.ts";

const TONES: Readonly<Record<string, string>> = { critical: "bad", warn: "warn" };

interface FindingListProps {
  readonly findings: readonly Finding[];
  /** How many the scan counted; the list may hold fewer. */
  readonly counted: number;
  readonly content: string;
  readonly onJump: (finding: Finding) => void;
}

/** What the scan found, each with a way to its place in the text. */
export const FindingList = ({ findings, counted, content, onJump }: FindingListProps) => (
  <>
    <ol class="findings">
      {findings.map((finding) => (
        <li key={finding.number}>
          <Badge word={finding.severity} tone={TONES[finding.severity] ?? ""} /> <code>{finding.code}</code>{" "}
          <Text value={finding.message} />{" "}
          {isMarked(finding) ? (
            <button type="button" class="link" onClick={() => onJump(finding)}>
              {whereIs(finding, content)}
            </button>
          ) : (
            <span class="dim">{whereIs(finding, content)}</span>
          )}
        </li>
      ))}
    </ol>
    {counted > findings.length && <p class="dim">{plural(counted - findings.length, "more finding")} not listed.</p>}
  </>
);

/** Members whose text the page shows. */
const SHOWN = ["content", "description", "summary", "name"];
const isMarked = ({ place, locator }: Finding): boolean => place !== null && SHOWN.includes(locator);

function whereIs({ locator, place }: Finding, content: string): string {
  if (locator !== "content") return `in ${locator}`;
  return place ? `line ${lineAt(content, place.start)}` : "in the text";
}
