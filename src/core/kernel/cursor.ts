/** Where a page ended: the creation time and id of its last row. */
export interface PageEdge {
  readonly created_at: string;
  readonly id: string;
}

/** Base64 of `<created_at>:<id>`, as the existing clients pass it back. */
export const encodeCursor = ({ created_at, id }: PageEdge): string => btoa(`${created_at}:${id}`);

/** The edge in a cursor, or null when the text is not one of ours. */
export function decodeCursor(cursor: string): PageEdge | null {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z):([0-9a-f-]{36})$/.exec(fromBase64(cursor));
  return match?.[1] && match[2] ? { created_at: match[1], id: match[2] } : null;
}

/** The text in base64; empty where it is none. */
export function fromBase64(text: string): string {
  try {
    return atob(text);
  } catch {
    return "";
  }
}
