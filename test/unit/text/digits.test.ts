import { expect, test } from "bun:test";
import { sentence } from "../../../src/core/kernel/text.ts";
import { inAsciiDigits } from "../../../src/text/digits.ts";

test.each([
  "٠١٢٣٤٥٦٧٨٩",
  "०१२३४५६७८९",
  "߀߁߂߃߄߅߆߇߈߉",
  "෦෧෨෩෪෫෬෭෮෯",
  "᠐᠑᠒᠓᠔᠕᠖᠗᠘᠙",
  "꧐꧑꧒꧓꧔꧕꧖꧗꧘꧙",
  "႐႑႒႓႔႕႖႗႘႙",
  "０１２３４５６７８９",
])("%s are digits", (digits) => {
  expect(inAsciiDigits(digits)).toBe("0123456789");
});

test("each digit of two bytes has its value, and places stay", () => {
  const digits = Array.from({ length: 0xffff }, (_, code) => String.fromCharCode(code)).filter((sign) =>
    /^\p{Nd}$/u.test(sign),
  );
  expect(inAsciiDigits(digits.join(""))).toBe("0123456789".repeat(digits.length / 10));
  expect(inAsciiDigits("𝟏 ＋４９（３０）")).toBe("𝟏 +49(30)");
});

test.each(["यह सर्वर है॥", "サーバーです．", "ሰርቨሩ የት ነው፧", "सर्वर है।"])("%s ends as a sentence", (text) => {
  expect(sentence(text)).toBe(text);
});
