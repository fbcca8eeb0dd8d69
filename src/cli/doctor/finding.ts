/** What the doctor looks at, in the order in which it tells of it. */
export const SECTIONS = [
  "binary",
  "settings",
  "data",
  "models",
  "server",
  "round",
  "clock",
  "network",
  "agents",
] as const;
export type Section = (typeof SECTIONS)[number];

/** What `--fix` may do by itself: nothing is lost by any of it. */
export type Fix = "rebuild" | "close_folder" | "remove_announcement";

/**
 * `well`: looked at, and as it should be. `fault`: it is not. `unseen`: could not be looked at, which is never well.
 * `note`: worth knowing, and nobody's fault.
 */
export type State = "well" | "fault" | "unseen" | "note";

export interface DoctorFinding {
  readonly section: Section;
  readonly check: string;
  readonly state: State;
  readonly what: string;
  /** Why it matters. */
  readonly why?: string;
  /** The command that repairs it, or what a person must do where no command can. */
  readonly repair?: string;
  readonly fix?: Fix;
}

/** What a fault says beside what it is. */
export type Advice = Pick<DoctorFinding, "repair" | "fix"> & Required<Pick<DoctorFinding, "why" | "repair">>;

/** The findings of one check. */
export function about(section: Section, check: string) {
  const finding = (state: State, what: string, advice: Partial<Advice> = {}): DoctorFinding => ({
    section,
    check,
    state,
    what,
    ...advice,
  });
  return {
    well: (what: string) => finding("well", what),
    note: (what: string) => finding("note", what),
    fault: (what: string, advice: Advice) => finding("fault", what, advice),
    unseen: (what: string, repair?: string) => finding("unseen", what, repair === undefined ? {} : { repair }),
  };
}

/** Whether everything was looked at and is as it should be. */
export const isWell = (findings: readonly DoctorFinding[]): boolean =>
  findings.every(({ state }) => state === "well" || state === "note");
