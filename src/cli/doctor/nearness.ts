import type { DoctorFinding } from "./finding.ts";
import { about } from "./finding.ts";

/** Cosines of two pairs of texts as each embedder gave them when it was built in: the wording, and the unrelated text. */
const KNOWN: Readonly<Record<string, { readonly near: number; readonly far: number }>> = {
  "multilingual-e5-notes-v1": { near: 0.806, far: 0.5049 },
};
/** Rounding differs between processors; another model differs by far more. */
const TOLERANCE = 0.02;

/** The known texts. `wording` shares no word with `text`, and no sense with `other`. */
export const KNOWN_PAIR = {
  text: "A cat slept on the windowsill all afternoon.",
  wording: "feline napping near glass",
  other: "The harbour office closes at 18:00 on weekdays.",
} as const;

/** Cosines of the wording with the text and with the other; null for a text without a vector, absent where nobody asked. */
export interface Measured {
  readonly near?: number | null;
  readonly far?: number | null;
}

/** Whether the embedder places known texts as it did when it was built in. */
export function judgeNearness(model: string | null, { near, far }: Measured): DoctorFinding {
  const say = about("models", "self-test");
  if (near === undefined || far === undefined)
    return say.unseen("The known texts could not be looked for.", "cairn doctor");
  const known = KNOWN[model?.split("+")[0] ?? ""];
  if (!known) return say.unseen(`What ${model ?? "no model"} should give is not known here.`);
  if (near === null || far === null) return say.fault("The known texts got no vectors.", ADVICE);
  const given = `${near.toFixed(4)} and ${far.toFixed(4)}`;
  const isAsKnown = Math.abs(near - known.near) <= TOLERANCE && Math.abs(far - known.far) <= TOLERANCE;
  if (isAsKnown) return say.well(`two known pairs are ${given} near, as they should be`);
  return say.fault(`Two known pairs are ${given} near, and should be ${known.near} and ${known.far}.`, ADVICE);
}

const ADVICE = {
  why: "Search by meaning compares such numbers: where they are wrong, it finds the wrong memories.",
  repair: "Install Cairn again: its models are part of it.",
};
