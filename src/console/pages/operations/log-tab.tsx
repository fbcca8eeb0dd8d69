import { useEffect, useRef } from "preact/hooks";
import type { LogLine } from "../../api/schemas.gen.ts";
import { useAddress } from "../../hooks/address.ts";
import { Button, Field, Select } from "../../kit/controls.tsx";
import { Empty, Panel } from "../../kit/layout.tsx";
import { plural } from "../../kit/numbers.ts";
import { useLog } from "./log-lines.ts";
import { LogRow, lineText } from "./log-row.tsx";
import { OfOwner } from "./of-owner.tsx";

/** Lines that are shown at once: the newest that fit. */
const SHOWN_MAX = 1_000;
/** What the console itself asks again and again while it is open. */
const OWN_OPERATIONS: readonly unknown[] = ["recentLogs", "events"];
const LEVELS = [
  ["info", "all"],
  ["warn", "warnings and errors"],
  ["error", "errors"],
] as const;
type Level = (typeof LEVELS)[number][0];
const RANK: Readonly<Record<Level, number>> = { info: 0, warn: 1, error: 2 };

/** The log lines of the last minutes, as they are written. */
export function LogTab() {
  const { values, set } = useAddress();
  const isPaused = values.paused === "1";
  const withOwn = values.own === "1";
  const [level] = LEVELS.find(([one]) => one === values.level) ?? LEVELS[0];
  const text = values.q ?? "";
  const { lines, missed, problem, isFirst, retry } = useLog(isPaused);
  const fitting = lines.filter((line) => isAsked(line, { level, withOwn, text: text.toLowerCase() }));
  const loaded = { data: isFirst ? null : fitting, problem, loading: false, reload: retry };
  return (
    <Panel
      title="Log"
      actions={
        <Button onClick={() => set({ paused: isPaused ? null : "1" }, { replace: true })}>
          {isPaused ? "Go on" : "Pause"}
        </Button>
      }
    >
      <OfOwner of={loaded} what="The log">
        {(shown) => (
          <div class="stack">
            <div class="row log-filters">
              <Field label="Level">
                {(id) => (
                  <Select
                    id={id}
                    value={level}
                    options={LEVELS}
                    onChange={(one) => set({ level: one === "info" ? null : one })}
                  />
                )}
              </Field>
              <Field label="Text in it">
                {(id) => (
                  <input
                    dir="auto"
                    id={id}
                    type="search"
                    value={text}
                    onInput={({ currentTarget }) => set({ q: currentTarget.value }, { replace: true })}
                  />
                )}
              </Field>
              <label class="row">
                <input
                  type="checkbox"
                  checked={withOwn}
                  onChange={({ currentTarget }) => set({ own: currentTarget.checked ? "1" : null })}
                />
                with what this page asks for itself
              </label>
            </div>
            <p class="dim small">
              {plural(shown.length, "line")}
              {shown.length > SHOWN_MAX && `, the newest ${SHOWN_MAX} shown`}
              {isPaused && ", paused"}
              {missed > 0 && `; ${plural(missed, "line")} came faster than they could be read`}. The server keeps those
              of the last 15 minutes, without contents, queries or keys.
            </p>
            {shown.length === 0 ? (
              <Empty title="No line of the last minutes fits." />
            ) : (
              <Lines lines={shown.slice(-SHOWN_MAX)} />
            )}
          </div>
        )}
      </OfOwner>
    </Panel>
  );
}

/** Close enough to the end to be taken along when lines are added. */
const NEAR_PX = 40;

/** The lines, newest last; who looks at the end stays there. */
function Lines({ lines }: { lines: readonly LogLine[] }) {
  const box = useRef<HTMLOListElement>(null);
  const isFollowing = useRef(true);
  const last = lines.at(-1)?.seq;
  useEffect(() => {
    if (isFollowing.current) box.current?.scrollTo(0, box.current.scrollHeight);
  }, [last, lines.length]);
  return (
    <ol
      class="log"
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
      tabIndex={0}
      aria-label="Log lines, newest last"
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isFollowing.current = scrollHeight - scrollTop - clientHeight < NEAR_PX;
      }}
    >
      {lines.map((line) => (
        <LogRow key={line.seq} line={line} />
      ))}
    </ol>
  );
}

interface Asked {
  readonly level: Level;
  readonly withOwn: boolean;
  /** In lower case. */
  readonly text: string;
}

function isAsked(line: LogLine, { level, withOwn, text }: Asked): boolean {
  if (RANK[line.level] < RANK[level]) return false;
  if (!withOwn && line.level === "info" && OWN_OPERATIONS.includes(line.fields.operation)) return false;
  return text === "" || lineText(line).toLowerCase().includes(text);
}
