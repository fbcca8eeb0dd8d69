import { z } from "zod";
import { textFault } from "../../core/kernel/json.ts";
import { byteLength, characterCount } from "../../core/kernel/text.ts";

const TAG_MAX = 40;
const TAG = /^[\p{L}\p{N}][\p{L}\p{N}.+#-]*$/u;

/** One line of text from a model: something, and no longer than `charactersMax`. */
export const lineOf = (charactersMax: number) =>
  z
    .string()
    .trim()
    .refine((text) => text !== "" && !/[\n\r]/.test(text) && isWithin(text, charactersMax));

/** A text of several lines from a model, of at most so many UTF-8 bytes. */
export const pageOf = (bytesMax: number) =>
  z
    .string()
    .trim()
    .refine((text) => text !== "" && byteLength(text) <= bytesMax && textFault(text) === null);

/** Tags from a model: lower case, words joined by hyphens, each once. */
export const tagsOf = (countMax: number) =>
  z
    .array(z.string())
    .max(countMax)
    .transform((tags) => [...new Set(tags.map(toTag))])
    .refine((tags) => tags.every((tag) => TAG.test(tag) && isWithin(tag, TAG_MAX)));

const toTag = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, "-");

const isWithin = (text: string, charactersMax: number): boolean =>
  characterCount(text) <= charactersMax && textFault(text) === null;
