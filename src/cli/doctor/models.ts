import type { Status } from "../../core/schema/system.ts";
import type { DoctorFinding } from "./finding.ts";
import { about } from "./finding.ts";

/** The model files of this program: how many there are, and what is wrong with each. */
export interface ModelFiles {
  readonly models: readonly string[];
  readonly faults: readonly string[];
}

const WHY = "With other bytes a model fails, or finds the wrong memories without a word.";
const REPAIR = "Install Cairn again: its models are part of it.";

/** Compares every byte of the models with their manifests. */
export function inspectModelFiles(look: () => ModelFiles): DoctorFinding[] {
  const say = about("models", "files");
  try {
    const { models, faults } = look();
    if (models.length === 0) return [say.fault("There are no models.", { why: WHY, repair: REPAIR })];
    if (faults.length > 0) return faults.map((what) => say.fault(what, { why: WHY, repair: REPAIR }));
    return [say.well(`${models.join(", ")}: every byte as its manifest records it`)];
  } catch (error) {
    return [say.fault(error instanceof Error ? error.message : String(error), { why: WHY, repair: REPAIR })];
  }
}

const UNABLE = "Without it, ";

/** Whether what reads texts was loaded by whoever serves. */
export function inspectLoaded({ embedding, judge }: Status): DoctorFinding[] {
  return [
    loaded("embedder", embedding, `${UNABLE}memories are found by their words only, not by what they mean.`),
    loaded("judge", judge, `${UNABLE}of contradictions only other values in the same words are found.`),
  ];
}

type Loaded = Pick<Status["judge"], "model" | "configured"> & { readonly phase: string | null };

function loaded(check: string, { model, configured, phase }: Loaded, why: string): DoctorFinding {
  const say = about("models", check);
  if (model?.startsWith("hash")) return say.fault(HASH, { why, repair: "cairn serve --embedder onnx" });
  if (!configured) return say.fault("There is none.", { why, repair: REPAIR });
  if (phase === "ready") return say.well(`${model}, ready`);
  if (phase === "waiting") return say.unseen(`${model} has not been needed yet.`, "cairn doctor");
  if (phase === "failed")
    return say.fault(`${model} could not be loaded.`, { why, repair: "cairn stop && cairn serve" });
  return say.unseen(`${model} is still loading.`, "cairn doctor");
}

const HASH = "Texts are read by counting (--embedder hash), which is for tests only.";
