import { sha256 } from "../../core/kernel/hash.ts";

/** Characters of a name that come from a title. */
const WORDS_MAX = 60;
const MARK_LENGTH = 8;
/** Names that Windows keeps for devices. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** Letters and digits of a text, small, with dashes between: a name that every file system takes. */
const slugOf = (text: string): string =>
  text
    .slice(0, 4 * WORDS_MAX)
    .toWellFormed()
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}_]+/gu, "-")
    .slice(0, WORDS_MAX)
    .toWellFormed()
    .replace(/[^\p{L}\p{M}\p{N}_]+/gu, "-")
    .replace(/^-+|(?<!-)-+$/g, "");

const markOf = (text: string): string => sha256(text).slice(0, MARK_LENGTH);

/** The name of a folder or file for a name that must be told from all others: itself where that is a good name. */
export function nameFor(name: string): string {
  const slug = slugOf(name);
  if (slug === name && !DEVICE.test(slug)) return slug;
  return [slug, markOf(name)].filter((part) => part !== "").join("-");
}

/** Gives each thing a path of its own: words of its title, and a mark of its id. */
export function pathNamer(): (folder: string, title: string, id: string) => string {
  const taken = new Set<string>();
  return (folder, title, id) => {
    const slug = slugOf(title);
    const named = (mark: string) => `${folder}/${slug === "" ? mark : `${slug}-${mark}`}.md`;
    let path = named(markOf(id));
    for (let count = 2; taken.has(path); count++) path = named(markOf(`${id} ${count}`));
    taken.add(path);
    return path;
  };
}
