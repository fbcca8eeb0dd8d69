/** An item of a note of basic-memory: `- [category] text #tag (context)`. */
export interface Observation {
  readonly category: string | null;
  /** Without the tags at its end. */
  readonly text: string;
  readonly tags: readonly string[];
}

/** `- relation_type [[Target]] (context)`. */
export interface Relation {
  readonly type: string;
  readonly target: string;
}

const ITEM = /^[-*+]\s+(\S.*)$/;
const CATEGORY = /^\[([^[\]()]+)\]\s+(.+)$/;
/** What stands in brackets in front of a line of a transcript. */
const TIMECODE = /^\d{1,3}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?(?:\s+-\s+\d{1,3}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?)?$/;
const TAG = /(?<=^|\s)#([^\s#]+)/g;
const TAGS_AT_END = /(?<!\s)(?:\s+#[^\s#]+)+(?=\s*(?:\([^()]*\))?$)/;
const RELATION = /^(?:"([^"]+)"|'([^']+)'|([^\s[\]"']+))\s+\[\[([^[\]]+)\]\](?:\s*\([^()]*\))?$/;

/** An observation, or null where the line is none; a task, a link or a line of a transcript is none. */
export function observationOf(line: string): Observation | null {
  const [, item] = ITEM.exec(line.trim()) ?? [];
  if (item === undefined) return null;
  const [, written = "", rest = ""] = CATEGORY.exec(item) ?? [];
  const category = isCategory(written.trim()) ? written.trim() : null;
  const tags = [...item.matchAll(TAG)].map(([, tag = ""]) => tag);
  if (category === null && (tags.length === 0 || /^\[.?\]/.test(item))) return null;
  const text = (category === null ? item : rest).replace(TAGS_AT_END, "").trim();
  return { category, text, tags };
}

/** One character in brackets is the state of a task, unless it is a letter or digit other than x. */
const isCategory = (written: string): boolean =>
  written !== "" && !TIMECODE.test(written) && (written.length > 1 || /[^xX\P{L}]|\p{N}/u.test(written));

/** A relation, or null where the line is none: a sentence with a link in it is prose. */
export function relationOf(line: string): Relation | null {
  const [, item = ""] = ITEM.exec(line.trim()) ?? [];
  const [, double, single, word, link] = RELATION.exec(item) ?? [];
  const type = double ?? single ?? word;
  return type === undefined || link === undefined ? null : { type, target: targetOf(link) };
}

/** The name in a link that may have a path, a heading or a text to show: `folder/Name#Heading|text`. */
function targetOf(link: string): string {
  const [path = ""] = link.split(/[|#]/);
  return path.slice(path.lastIndexOf("/") + 1).trim() || link;
}
