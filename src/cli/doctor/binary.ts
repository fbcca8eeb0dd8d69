import type { DoctorFinding } from "./finding.ts";
import { about } from "./finding.ts";

/** This program, as it runs. */
export interface Program {
  readonly release: string;
  /** Such as `linux`. */
  readonly platform: string;
  /** Such as `x64`. */
  readonly arch: string;
  /** Path of the executable, or of the source. */
  readonly path: string;
  readonly compiled: boolean;
}

/** Platforms that Cairn is built and tested for. */
const BUILT_FOR = ["linux x64", "linux arm64", "darwin arm64", "win32 x64"];

/** Which Cairn this is, and whether it was made for this machine. */
export function inspectBinary({ release, platform, arch, path, compiled }: Program): DoctorFinding[] {
  const machine = `${platform} ${arch}`;
  const say = about("binary", "platform");
  return [
    about("binary", "release").well(`cairn ${release}, ${compiled ? "executable" : "source"} ${path}`),
    BUILT_FOR.includes(machine)
      ? say.well(machine)
      : say.fault(`There is no build of Cairn for ${machine}.`, {
          why: "What was not tried on a machine may fail on it.",
          repair: `Run it on one of: ${BUILT_FOR.join(", ")}.`,
        }),
  ];
}
