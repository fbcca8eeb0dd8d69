import type { LogLine } from "../../api/schemas.gen.ts";
import { Badge } from "../../kit/controls.tsx";
import { Text } from "../../kit/text.tsx";

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium", hourCycle: "h23" });
const TONES = { info: "", warn: "warn", error: "bad" } as const;

const fieldText = (line: LogLine): string =>
  Object.entries(line.fields)
    .map(([name, value]) => `${name}=${value}`)
    .join(" ");

/** A line as it is searched in. */
export const lineText = (line: LogLine): string => `${line.level} ${line.event} ${fieldText(line)}`;

/** One line of the log. */
export const LogRow = ({ line }: { line: LogLine }) => (
  <li class="log-line">
    <time dateTime={line.at} title={line.at}>
      {clock.format(Date.parse(line.at))}
    </time>
    <Badge word={line.level} tone={TONES[line.level] || "plain"} />
    <span>
      <strong>{line.event}</strong> <Text value={fieldText(line)} />
    </span>
  </li>
);
