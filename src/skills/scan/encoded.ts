/** Layers of encoding that are taken off. */
export const LAYERS_MAX = 3;
/** Pieces of one text that are decoded. */
const PIECES_MAX = 200;

/** A text that was written so that nobody reads it at a glance. */
export interface Decoded {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

type Decoder = readonly [pattern: RegExp, decode: (match: string) => string | null];

const DECODERS: readonly Decoder[] = [
  [/[A-Za-z0-9+/]{16,}={0,2}(?:\s?[A-Za-z0-9+/]{20,}={0,2})*/g, (piece) => fromBase64(piece.replace(/\s/g, ""))],
  [/[A-Za-z0-9_-]{20,}={0,2}/g, (piece) => (/[-_]/.test(piece) ? fromBase64(piece) : null)],
  [/(?:\b[A-Z2-7]{24,}={0,6})/g, fromBase32],
  [/\b(?:[0-9a-f]{2}[\s:,]?){10,}\b/gi, (piece) => fromHex(piece.replace(/[^0-9a-f]/gi, ""))],
  [
    /(?:(?:\\x|0x|\\u00|%|\\u\{)[0-9a-f]{2}\}?[\s,]{0,2}){4,}/gi,
    (piece) => fromHex(piece.replace(/\\x|0x|\\u00|%|\\u\{|\}|[\s,]/gi, "")),
  ],
  [/(?:\\[0-7]{3}){4,}/g, (piece) => fromCodes(piece.split("\\").slice(1), 8)],
  [/(?:&#x?[0-9a-f]{2,6};\s?){4,}/gi, fromEntities],
  [/\b(?:\d{2,3}[,\s]{1,2}){8,}\d{2,3}\b/g, (piece) => fromCodes(piece.split(/[,\s]+/), 10)],
  [/\b(?:[01]{8}\s){6,}[01]{8}\b/g, (piece) => fromCodes(piece.split(/\s/), 2)],
];

/** What the encoded pieces of a text say, where that is text again. */
export function decodedPieces(raw: string): Decoded[] {
  return DECODERS.flatMap(([pattern, decode]) =>
    raw
      .matchAll(pattern)
      .take(PIECES_MAX)
      .flatMap((match): Decoded[] => {
        const text = decode(match[0]);
        return text !== null && isText(text) ? [{ text, start: match.index, end: match.index + match[0].length }] : [];
      })
      .toArray(),
  );
}

/** The text written backwards and in the rotation by thirteen letters; each only an attack when it reads as one. */
export const encodedVariants = (raw: string): string[] => [
  Array.from(raw).reverse().join(""),
  raw.replace(/[a-z]/gi, (letter) => {
    const first = letter <= "Z" ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first);
  }),
];

/** Decoded bytes of no text are an image, a hash or a key. */
const PRINTABLE_SHARE = 0.95;
function isText(text: string): boolean {
  if (text.length < 4) return false;
  const printable = text.match(/[\p{L}\p{N}\p{P}\p{Zs}\p{S}\n\r\t]/gu)?.length ?? 0;
  return printable / Array.from(text).length >= PRINTABLE_SHARE;
}

const decoder = new TextDecoder("utf-8", { fatal: true });

function fromBytes(bytes: Uint8Array): string | null {
  // Every other byte of Latin text in UTF-16 is zero.
  if (bytes.length >= 8 && bytes.filter((byte, i) => i % 2 === 1 && byte === 0).length >= bytes.length / 2 - 1) {
    return new TextDecoder("utf-16le").decode(bytes);
  }
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

const fromBase64 = (text: string): string | null => fromBytes(Buffer.from(text, "base64"));
const fromHex = (digits: string): string | null => fromBytes(Buffer.from(digits, "hex"));

function fromBase32(text: string): string | null {
  const bits = [...text.replace(/(?<!=)=+$/, "")]
    .map((letter) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"))
    .join("");
  return fromBytes(Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2)));
}

function fromCodes(codes: readonly string[], base: number): string | null {
  const numbers = codes.map((code) => Number.parseInt(code, base));
  return numbers.every((number) => number > 0 && number < 256) ? fromBytes(Uint8Array.from(numbers)) : null;
}

function fromEntities(text: string): string | null {
  const codes = [...text.matchAll(/&#(x?)([0-9a-f]+);/gi)].map(([, hex, code = ""]) =>
    Number.parseInt(code, hex ? 16 : 10),
  );
  return codes.every((code) => code > 0 && code <= 0x10ffff) ? String.fromCodePoint(...codes) : null;
}
