/**
 * Letters that look like a Latin one, each list after the Latin letter it imitates. Drawn from the confusables of Unicode
 * Technical Standard 39 and kept to what a reader takes for that letter at once. What NFKC folds itself (full width,
 * mathematical, circled letters) is not repeated here.
 */
const LOOK_ALIKES = `
a аАαΑɑᴀᎪꓮΆά
b ВвЬьβΒʙᏴꓐƅ
c сСϲϹᴄᏟꓚ
d ԁԀᴅᎠꓓđժ
e еЕёЁεΕΈέєЄᴇᎬꓰҽ
f ғҒϝꜰꓝƒ
g ԍԌɡɢᏀꓖցǥ
h һҺНнΗʜᎻꓧհħ
i іІїЇιΙΊίɩıɪᎥꓲ
j јЈϳᴊᎫꓙ
k кКκΚᴋᏦꓗ
l ӏӀʟᏞꓡłɫ
m мМΜϺᴍᎷꓟ
n пΝηήɴꓠող
o оОοΟΌόσᴏꓳօøӨө
p рРρΡᴘᏢꓑ
q ԛԚզ
r гГʀᎡꓣ
s ѕЅꜱᏚꓢſʂ
t тТτΤᴛᎢꓔŧ
u υύμᴜꓴսц
v ѵѴνᴠᏙꓦ
w ԝԜѡѠωᴡᎳꓪшա
x хХχΧꓫ
y уУүҮγΥʏꓬ
z ζΖᴢᏃꓜ
`;

const TABLE: ReadonlyMap<string, string> = new Map(
  LOOK_ALIKES.trim()
    .split("\n")
    .flatMap((line) => [...line.slice(2)].map((letter) => [letter, line.charAt(0)] as const)),
);

/** Ranges of pictures of letters, each with the code point of its A. */
const PICTURED: readonly (readonly [first: number, last: number])[] = [
  [0x1f150, 0x1f169],
  [0x1f170, 0x1f189],
  [0x1f1e6, 0x1f1ff],
];

/** The Latin letter that a character of another alphabet imitates; null when it imitates none. */
export function latinOf(character: string): string | null {
  const listed = TABLE.get(character);
  if (listed !== undefined) return listed;
  const code = character.codePointAt(0) ?? 0;
  const range = PICTURED.find(([first, last]) => code >= first && code <= last);
  return range ? String.fromCharCode(97 + code - range[0]) : null;
}

const MARK = /^\p{M}+$/u;
const PRINTABLE = /^[\u0020-\u007e]+$/;

/** What a reader takes a character for: a Latin letter for each that looks like one, "" for a mark on the letter before. */
export function readAs(character: string): string {
  if (character < "\u0080") return character.toLowerCase();
  return latinOf(character) ?? latinBase(character) ?? character.normalize("NFKC").toLowerCase();
}

/** A Latin letter or digit without its accents and ornaments; "" for a mark by itself; null for other alphabets. */
export function latinBase(character: string): string | null {
  if (MARK.test(character)) return "";
  const base = character.normalize("NFKD").replace(/\p{M}/gu, "");
  return PRINTABLE.test(base) ? base.toLowerCase() : null;
}
