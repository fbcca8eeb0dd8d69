import { z } from "zod";

/** The one text that these tools warn with; undefined when there is nothing to warn of. */
export function warningOf(warnings: readonly unknown[]): string | undefined {
  const said = warnings.filter((one) => typeof one === "string");
  return said.length === 0 ? undefined : said.join(" ");
}

const Messages = z.array(z.object({ message: z.string() })).nullish();

/** What a reply of search or recall warns of. */
export const warningsIn = (warnings: unknown): string[] =>
  (Messages.parse(warnings) ?? []).map(({ message }) => message);
