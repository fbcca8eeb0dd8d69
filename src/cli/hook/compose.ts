/** A memory that a model is told. */
export interface ToldMemory {
  readonly id: string;
  readonly content: string;
}

/** One thing to tell: what it is, so that it is told once, and the line that says it. */
export interface Item {
  readonly key: string;
  readonly line: string;
  /** The memories that it tells of. */
  readonly memories?: readonly ToldMemory[];
}

export interface Section {
  readonly head: string;
  readonly items: readonly Item[];
  /** Said of items that do not fit. */
  readonly more?: (left: number) => string;
}

/** A framed part of what a model is told. */
export interface HookBlock {
  readonly open: string;
  readonly close: string;
  readonly sections: readonly Section[];
  /** Goes before all others into the room there is, and stands last. */
  readonly tail?: Item;
  /** Characters that it may take at most. */
  readonly room?: number;
}

/** The parts with those of their items that are new, in no part before, and fit into so many characters, in their order. */
export function fitting(parts: readonly HookBlock[], budget: number, isNewAtAll: (item: Item) => boolean): HookBlock[] {
  let left = budget;
  const told = new Set<string>();
  const isNew = (item: Item) => isNewAtAll(item) && !told.has(item.key);
  return parts.map(({ tail, sections, ...part }) => {
    const room = Math.min(left, part.room ?? left) - frameLength(part);
    const last = tail && isNew(tail) && tail.line.length < room ? { tail } : {};
    const fresh = sections.map((section) => ({ ...section, items: section.items.filter(isNew) }));
    const chosen = { ...part, ...last, sections: chosenOf(fresh, room - (last.tail ? last.tail.line.length + 1 : 0)) };
    left -= lengthOf(chosen);
    for (const { key } of itemsOf([chosen])) told.add(key);
    return chosen;
  });
}

/** With the line breaks around it. */
const frameLength = ({ open, close }: Pick<HookBlock, "open" | "close">): number => open.length + close.length + 2;

function lengthOf(part: HookBlock): number {
  const text = render([part]);
  return text === "" ? 0 : text.length + 1;
}

function chosenOf(sections: readonly Section[], room: number): Section[] {
  let left = room;
  return sections.map((section) => {
    const { head, items, more } = section;
    let taken = head.length + 1 + (more ? more(items.length).length + 1 : 0);
    const isRoom = taken <= left;
    const chosen: Item[] = [];
    for (const item of items) {
      if (taken + item.line.length + 1 > left) break;
      chosen.push(item);
      taken += item.line.length + 1;
    }
    const omitted = items.length - chosen.length;
    if (more && omitted > 0 && isRoom) chosen.push({ key: UNCOUNTED, line: more(omitted) });
    if (chosen.length > 0) left -= taken;
    return { ...section, items: chosen };
  });
}

/** Key of a line that may be told again. */
const UNCOUNTED = "";

/** The parts without what was told elsewhere meanwhile. */
export const without = (parts: readonly HookBlock[], isTold: (key: string) => boolean): HookBlock[] =>
  parts.map(({ tail, sections, ...part }) => ({
    ...part,
    sections: sections.map((section) => ({
      ...section,
      items: section.items.filter(({ key }) => key === UNCOUNTED || !isTold(key)),
    })),
    ...(tail && !isTold(tail.key) ? { tail } : {}),
  }));

/** The parts as a model reads them: what is empty is left out. */
export function render(parts: readonly HookBlock[]): string {
  return parts
    .flatMap(({ open, close, sections, tail }) => {
      const filled = sections.filter(({ items }) => items.length > 0);
      if (filled.length === 0 && !tail) return [];
      const lines = filled.flatMap(({ head, items }) => [...(head ? [head] : []), ...items.map(({ line }) => line)]);
      return [[open, ...lines, ...(tail ? [tail.line] : []), close].join("\n")];
    })
    .join("\n");
}

/** What the parts tell that is to be told once. */
export const itemsOf = (parts: readonly HookBlock[]): Item[] =>
  parts.flatMap(({ sections, tail }) => [
    ...sections.flatMap(({ items }) => items.filter(({ key }) => key !== UNCOUNTED)),
    ...(tail ? [tail] : []),
  ]);
