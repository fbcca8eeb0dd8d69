import { preview } from "../core/kernel/text.ts";

const SHOWN = 60;

/** Says that what a source has for a date cannot be read, and what stands for it. */
export const unreadDate = (name: string, written: string, at: string | null): string =>
  `${name} "${preview(written, SHOWN)}" is no date that can be read: ${at === null ? "it is left out" : `${at} stands for it`}.`;
