const DIGIT = /^\p{Nd}$/u;
/** Digits but those of ASCII, and the full-width forms of the marks that stand between them. */
const OTHERS = /(?![0-9])[\p{Nd}&&[\u{80}-\u{ffff}]]|[＠＋－．（）／]/gv;
const FULL_WIDTH = 0xfee0;

/** A text with the digits of scripts as those of ASCII, place by place; digits of two places in it stay as they are. */
export const inAsciiDigits = (text: string): string =>
  text.replace(OTHERS, (sign) => {
    const code = sign.charCodeAt(0);
    if (DIGIT.test(sign)) return String(digitOf(code));
    return String.fromCharCode(code - FULL_WIDTH);
  });

/** The ten digits of a script stand one behind the other, from zero on. */
function digitOf(code: number): number {
  let zero = code;
  while (DIGIT.test(String.fromCharCode(zero - 1))) zero--;
  return (code - zero) % 10;
}
