/** The zeros of the scripts that have digits of their own; nine more stand behind each. */
const ZEROS = [
  0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20, 0x1040, 0x17e0,
  0xff10,
];

/** Digits but those of ASCII, and the full-width forms of the marks that stand between them. */
const OTHERS = /(?![0-9])\p{Nd}|[＠＋－．（）／]/gu;
const FULL_WIDTH = 0xfee0;

/** A text with the digits of every script as those of ASCII, place by place. */
export const inAsciiDigits = (text: string): string =>
  text.replace(OTHERS, (sign) => {
    const code = sign.charCodeAt(0);
    const zero = ZEROS.findLast((one) => one <= code);
    if (zero !== undefined && code - zero <= 9) return String(code - zero);
    return code > FULL_WIDTH ? String.fromCharCode(code - FULL_WIDTH) : sign;
  });
