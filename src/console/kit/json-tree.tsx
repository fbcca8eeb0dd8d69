import { useState } from "preact/hooks";
import { plural } from "./numbers.ts";
import { Text } from "./text.tsx";

const OPEN_DEPTH = 2;
const MEMBERS_SHOWN = 100;
const TEXT_SHOWN = 600;

/** JSON to be read: indented, its objects and lists opened and closed. What is closed is not in the document. */
export const JsonTree = ({ value }: { value: Readonly<Record<string, unknown>> }) =>
  Object.keys(value).length === 0 ? (
    <p class="dim">An empty object</p>
  ) : (
    <div class="json-tree code">
      <Members of={Object.entries(value)} depth={0} />
    </div>
  );

function Members({ of: members, depth }: { of: readonly (readonly [string, unknown])[]; depth: number }) {
  const [shown, setShown] = useState(MEMBERS_SHOWN);
  const left = members.length - shown;
  return (
    <ul>
      {members.slice(0, shown).map(([name, value]) => (
        <li key={name}>
          <Member name={name} value={value} depth={depth} />
        </li>
      ))}
      {left > 0 && (
        <li>
          <button type="button" class="link" onClick={() => setShown(shown + 10 * MEMBERS_SHOWN)}>
            Show more ({left} left)
          </button>
        </li>
      )}
    </ul>
  );
}

function Member({ name, value, depth }: { name: string; value: unknown; depth: number }) {
  const [open, setOpen] = useState(depth < OPEN_DEPTH);
  const key = (
    <span class="json-name">
      <Text value={name} />:
    </span>
  );
  if (typeof value !== "object" || value === null)
    return (
      <>
        {key} <Leaf value={value} />
      </>
    );
  const members = Object.entries(value);
  const many = Array.isArray(value)
    ? `[ ${plural(members.length, "item")} ]`
    : `{ ${plural(members.length, "member")} }`;
  return (
    <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {key} <span class="dim">{many}</span>
      </summary>
      {open && <Members of={members} depth={depth + 1} />}
    </details>
  );
}

function Leaf({ value }: { value: unknown }) {
  const [whole, setWhole] = useState(false);
  if (typeof value !== "string") return <span class="json-word">{String(value)}</span>;
  return (
    <span class="json-text">
      <Text value={value} {...(whole ? {} : { max: TEXT_SHOWN })} />
      {value === "" && <span class="dim">(empty text)</span>}
      {!whole && value.length > TEXT_SHOWN && (
        <button type="button" class="link" onClick={() => setWhole(true)}>
          Show all {value.length} characters
        </button>
      )}
    </span>
  );
}
