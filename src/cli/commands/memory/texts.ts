import { z } from "zod";
import { KeptTexts } from "../../../core/schema/keeping/kept-text.ts";
import type { CallLocal } from "../../call.ts";
import { padTo } from "../../columns.ts";
import type { Cli } from "../../connect.ts";
import type { Output } from "../../output.ts";
import { plainText } from "../../output.ts";
import { withProject } from "../../scope.ts";
import { UsageError } from "../../usage.ts";
import { changedAt, memoryCalls, seenAt, wholeId } from "./ids.ts";

type Text = KeptTexts["items"][number];
/** Characters of a text's id that are shown: two edits never share them. */
const ID_SHOWN = 18;

/** What a memory said before it was edited, the newest first. */
export const textsOf = async (cli: Cli, call: CallLocal, id: string): Promise<readonly Text[]> =>
  KeptTexts.parse(await call("GET", seenAt(cli, id, "/texts"))).items;

/** Each text on a line, and how the last one is brought back. */
export function textLines(out: Output, id: string, texts: readonly Text[]): string[] {
  const lines = texts.map(({ id: text_id, content, title, replaced_at, replaced_by }) => {
    const by = replaced_by === null ? "" : `, replaced by ${plainText(replaced_by)}`;
    const named = title === null ? "" : `"${plainText(title)}": `;
    return `  ${padTo(out.date(replaced_at), 16)} said until then [${text_id.slice(0, ID_SHOWN)}${by}]: ${named}${plainText(content)}`;
  });
  return texts.length === 0 ? [] : [...lines, `  To bring one back: cairn restore ${id} --text [WHICH]`];
}

const Said = z.looseObject({ content: z.string() });

/** `cairn restore ID --text`: has a memory say again what it said before its last edit, or before the one that is named. */
export async function restoreText(cli: Cli, written: string, which: string | true | undefined): Promise<void> {
  const { out } = cli;
  const call = memoryCalls(cli);
  const id = await wholeId(cli, written);
  const texts = await textsOf(cli, call, id);
  const text = typeof which === "string" ? theOne(texts, which.toLowerCase(), id) : texts[0];
  if (!text)
    throw new UsageError(`Nothing is kept of what ${id} said before. \`cairn history ${id}\` shows what was changed.`);
  const reply = await call("POST", changedAt(cli, id, `/texts/${text.id}/restore`));
  if (out.isJson) return out.json(withProject(cli, reply));
  out.line(id);
  out.note(`It says again: ${plainText(Said.parse(reply).content)}`);
}

function theOne(texts: readonly Text[], which: string, id: string): Text {
  const [found, ...others] = texts.filter((text) => text.id.startsWith(which));
  if (found && others.length === 0) return found;
  const said = found ? "Several texts begin" : "No text begins";
  throw new UsageError(`${said} with '${plainText(which)}'. \`cairn history ${id}\` shows them.`);
}
