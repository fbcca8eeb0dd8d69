import type { JsonValue } from "../../core/kernel/json.ts";
import { isJsonObject } from "../../core/kernel/json.ts";

/** Files a skill may bring, and the longest address of one. */
export const FILES_MAX = 32;
const PATH_MAX = 200;

const SCRIPT =
  /\.(?:sh|bash|zsh|fish|ksh|csh|ps1|psm1|bat|cmd|py|pyw|rb|pl|pm|php|lua|js|mjs|cjs|ts|tsx|jsx|vbs|wsf|tcl|awk|applescript|r|groovy|kts)$/i;
const BINARY =
  /\.(?:exe|dll|so|dylib|bin|com|msi|msix|scr|pif|cpl|jar|war|class|pyc|pyo|pyd|o|a|obj|lib|ko|sys|drv|wasm|elf|app|apk|ipa|deb|rpm|pkg|dmg|iso|img|vhd|zip|tar|tgz|gz|bz2|xz|7z|rar|zst|cab|lnk|hta|jse|vbe|node|docm|xlsm|pptm|dat)$/i;
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** A fault of the files themselves, whatever they say. */
export interface FileFault {
  readonly locator: string;
  readonly message: string;
}

/** Why the files of a skill could not be written next to it safely. */
export function fileFaults(files: readonly JsonValue[]): FileFault[] {
  const seen = new Set<string>();
  return files.flatMap((file, i): FileFault[] => {
    const locator = `support_files[${i}].path`;
    if (!isJsonObject(file)) return [{ locator: `support_files[${i}]`, message: "is no object" }];
    const message = pathFault(file.path, file.role) ?? (isTaken(seen, file.path) ? "names a file twice" : null);
    return message === null ? [] : [{ locator, message }];
  });
}

function isTaken(seen: Set<string>, path: JsonValue | undefined): boolean {
  const key = String(path).toLowerCase();
  if (seen.has(key)) return true;
  seen.add(key);
  return false;
}

/** Why a path is refused; null when it stays within the skill and is what it says. */
function pathFault(path: JsonValue | undefined, role: JsonValue | undefined): string | null {
  if (typeof path !== "string" || path.trim() === "") return "is missing";
  return formFault(path) ?? segmentFault(path.split("/")) ?? kindFault(path, role);
}

function formFault(path: string): string | null {
  if (path.length > PATH_MAX) return `is longer than ${PATH_MAX} characters`;
  if (!/^[\x20-\x7e]+$/.test(path)) return "is not plain ASCII";
  if (/^[/~]/.test(path) || /^[a-z]:/i.test(path)) return "is absolute";
  if (/[\\:%*?"<>|$`;&{}!']/.test(path)) return "holds signs that a path of a skill has no need of";
  return null;
}

function segmentFault(segments: readonly string[]): string | null {
  if (segments.some((segment) => segment === "" || segment === ".")) return "has an empty step";
  if (segments.includes("..")) return "leads out of the skill";
  if (segments.some((segment) => segment.startsWith("."))) return "is hidden";
  if (segments.some((segment) => /^[\s-]|[\s.]$/.test(segment))) return "has a step that some systems read otherwise";
  if (segments.some((segment) => RESERVED.test(segment))) return "is a device on some systems";
  return null;
}

function kindFault(path: string, role: JsonValue | undefined): string | null {
  if (/^skill\.md$/i.test(path)) return "would replace the skill itself";
  if (BINARY.test(path)) return "is a program or an archive";
  if (SCRIPT.test(path) && role !== "script") return "is a script without the role of one";
  return null;
}
