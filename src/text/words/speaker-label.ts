const LABEL_MAX = 80;
const LABEL = /^(\p{L}[\p{L}\p{N}'._-]*(?: [\p{L}\p{N}'._-]+){0,2}):\s/u;

export interface SpeakerLabel {
  /** As written. */
  readonly name: string;
  /** Where what is said begins. */
  readonly end: number;
}

/** Who says a text that is a turn of a conversation ("Name: ..."); null for every other text. */
export function speakerLabel(text: string): SpeakerLabel | null {
  const head = text.slice(0, LABEL_MAX);
  const label = head.includes(":") ? LABEL.exec(head) : null;
  return label?.[1] === undefined ? null : { name: label[1], end: label[0].length };
}
