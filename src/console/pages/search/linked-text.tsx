import type { ComponentChildren } from "preact";
import { memoryAddress } from "../../kit/memory-words.ts";
import { Text } from "../../kit/text.tsx";

const ID = /\b([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b/;

/** A text with the ids of memories in it as links to them. */
export const LinkedText = ({ value, link = idLink }: { value: string; link?: (id: string) => ComponentChildren }) => (
  <span>
    {value
      .split(ID)
      .map((part, i) => (i % 2 === 0 ? <Text key={i} value={part} /> : <span key={i}>{link(part)}</span>))}
  </span>
);

const idLink = (id: string) => (
  <a href={memoryAddress(id)} title={id}>
    <code>{id.slice(0, 8)}…</code>
  </a>
);

/** The ids that a text holds, each once, in order. */
export const idsIn = (text: string): string[] => [...new Set(text.split(ID).filter((_, i) => i % 2 === 1))];
