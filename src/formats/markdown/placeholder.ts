/** Words that stand where something is to be written, alone. */
const STANDS_IN =
  /^(?:todo|to do|tbd|tba|tbc|n\/a|wip|fixme|xxx|placeholder|coming soon|to be (?:announced|confirmed|decided|defined|determined|done|written))$/;

/** Whether a text says nothing of itself: a placeholder, or marks alone. Under its heading it would be found for that one's words. */
export const saysNothing = (text: string): boolean =>
  !/[\p{L}\p{N}\p{S}]/u.test(text) || STANDS_IN.test(bare(text).toLowerCase());

/** Characters that the longest of them has, with marks around it. */
const LENGTH_MAX = 60;
const MARK = /[^\p{L}\p{N}]/u;

function bare(text: string): string {
  if (text.length > LENGTH_MAX) return "";
  const letters = [...text];
  const first = letters.findIndex((one) => !MARK.test(one));
  return letters.slice(first, letters.findLastIndex((one) => !MARK.test(one)) + 1).join("");
}
