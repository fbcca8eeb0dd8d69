const DIGITS = "一二三四五六七八九";

/** Figures, or Chinese ones up to 39; a source of a regular expression. */
export const NUMBER = "(?:\\d{1,2}|[二三]?十[一二三四五六七八九]?|[一二三四五六七八九])";

/** A year in Chinese figures, one by one. */
export const FIGURES = "[一二][〇零○一二三四五六七八九]{3}";

/** The same in common figures. */
export const figuresOf = (year: string | undefined): string | undefined =>
  year?.replace(/[〇零○]/g, "0").replace(/[一二三四五六七八九]/g, (sign) => String(DIGITS.indexOf(sign) + 1));

/** The number that figures or Chinese ones up to 39 mean. */
export function numberOf(word: string): number {
  if (/^\d/.test(word)) return Number(word);
  const [tens = "", ones = ""] = word.includes("十") ? word.split("十") : ["none", word];
  const units = DIGITS.indexOf(ones || "?") + 1;
  if (tens === "none") return word === "两" ? 2 : units;
  return (tens === "" ? 1 : DIGITS.indexOf(tens) + 1) * 10 + units;
}
