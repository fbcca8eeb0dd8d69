type Members = Readonly<Record<string, unknown>>;

/** Members that differ, as text before and after; null where there is none. Texts stand as they are, all else as JSON. */
export function changedMembers(
  before: Members | null,
  after: Members | null,
): (readonly [name: string, before: string | null, after: string | null])[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names
    .map((name) => [name, asText(before?.[name]), asText(after?.[name])] as const)
    .filter(([, old, now]) => old !== now);
}

const asText = (value: unknown): string | null => {
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
};
