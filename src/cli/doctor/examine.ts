import { inspectUse, useOf } from "./announced.ts";
import { askThrough } from "./ask.ts";
import { inspectBinary } from "./binary.ts";
import { inspectClock } from "./clock.ts";
import { timed } from "./connection.ts";
import { inspectDisk } from "./disk.ts";
import type { DoctorFinding, Section } from "./finding.ts";
import { about, SECTIONS } from "./finding.ts";
import { inspectFolder } from "./folder.ts";
import { SALVAGE } from "./integrity.ts";
import { inspectLog } from "./log-size.ts";
import { inspectModelFiles } from "./models.ts";
import type { DoctorTarget, NoSettings } from "./target.ts";

/** What is told where the settings cannot be read; nothing else can be looked at then. */
export const withoutSettings = ({ settings_fault }: NoSettings): DoctorFinding[] => [
  settings.fault(settings_fault, {
    why: "Until they can be read, no command that needs them runs, and no server starts.",
    repair: "Mend what is named here; `cairn config --origin` then shows what holds.",
  }),
  ...SECTIONS.filter((section) => section !== "settings").map((section) =>
    about(section, "everything").unseen("Not looked at, since the settings cannot be read.", "cairn doctor"),
  ),
];

const settings = about("settings", "configuration");

/** Looks at everything. A check that fails itself is told as one that could not be made. */
export async function examine(target: DoctorTarget): Promise<DoctorFinding[]> {
  const { program, folder, database, uid, clock, modelFiles, inspectAgents } = target;
  const local = [
    ...guarded("binary", "platform", () => inspectBinary(program)),
    settings.well("all of them can be read: cairn config"),
    ...(folder === null ? [placeWithout(database)] : inspectPlace(folder, uid)),
    ...guarded("models", "files", () => inspectModelFiles(modelFiles)),
    ...guarded("clock", "this machine", () => [inspectClock(clock.now())]),
    ...guarded("agents", "configuration", inspectAgents),
  ];
  const isMissing = local.some(({ check, state }) => check === "folder" && state === "fault");
  return [...local, ...(isMissing ? unseenWithout("there is no data to open") : await ask(target))];
}

const placeWithout = (database: string | null): DoctorFinding =>
  database === null
    ? about("data", "folder").unseen(
        "The data is on the machine of the server.",
        "cairn doctor, there, without CAIRN_URL",
      )
    : about("data", "database").note(`${database} keeps the data: its disk and its backups are its server's.`);

const inspectPlace = (folder: string, uid: number | null): DoctorFinding[] => {
  const place = guarded("data", "folder", () => inspectFolder(folder, uid));
  if (place.some(({ check, state }) => check === "folder" && state !== "well")) return place;
  return [
    ...place,
    ...guarded("data", "disk", () => inspectDisk(folder)),
    ...guarded("data", "log", () => [inspectLog(folder)]),
    ...guarded("server", "lock", () => inspectUse(useOf(folder))),
  ];
};

function guarded(section: Section, check: string, look: () => DoctorFinding[]): DoctorFinding[] {
  try {
    return look();
  } catch (error) {
    return [about(section, check).unseen(messageOf(error))];
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Asks the API; where it cannot be reached, nothing of that was looked at. */
async function ask(target: DoctorTarget): Promise<DoctorFinding[]> {
  const { connect, signal } = target;
  try {
    return await connect((connection) => askThrough(target, timed(connection)));
  } catch (error) {
    signal.throwIfAborted();
    const what = messageOf(error);
    const why = "Until it opens, nothing is remembered and nothing found.";
    const open = about("server", "open").fault(what, { why, repair: repairOf(what) });
    return [open, ...unseenWithout("it did not open")];
  }
}

/** What is said when the folder does not open names the next step; its command, where there is one. */
function repairOf(what: string): string {
  if (what.includes("cairn rebuild")) return SALVAGE;
  if (what.includes("newer Cairn")) return "Start the newer Cairn that wrote it.";
  return "cairn status";
}

const unseenWithout = (why: string): DoctorFinding[] =>
  (["data", "models", "round", "clock", "network"] as const).map((section) =>
    about(section, "through the API").unseen(`Not looked at, since ${why}.`, "cairn doctor"),
  );
