import { DESTRUCTION } from "./destruction.ts";
import { downloadedAndRun } from "./download.ts";
import { EXECUTION } from "./execution.ts";
import { shellView } from "./shell-view.ts";
import type { Searched, Sign } from "./sign.ts";
import { firstUnquoted, ruleSigns } from "./sign.ts";
import type { Views } from "./views.ts";

/** Commands in a text that no skill should give. */
export function shellSigns({ raw, letters }: Views, { isScript }: { readonly isScript: boolean }): Sign[] {
  return [letters, shellView(letters)].flatMap((view) => {
    const searched: Searched = { code: "SHELL_INJECTION", raw, view, quotable: isScript ? "never" : "command" };
    return [
      ...ruleSigns(searched, EXECUTION),
      ...ruleSigns(searched, DESTRUCTION),
      ...removals(searched),
      ...downloads(searched),
    ];
  });
}

const downloads = (searched: Searched): Sign[] =>
  firstUnquoted(searched, "runs what it downloads", downloadedAndRun(searched.view.text));

const RM = /(?<![\w.-])(?:rm|unlink|shred|srm)((?:[ \t]+-{1,2}[\w-]+(?:=\S{1,80})?)+)((?:[ \t]+[^\s;&|<>`)]+){1,20})/g;
/** Folders whose loss nobody recovers from. */
const DOOMED: readonly RegExp[] = [
  /^(?:\/|~|\$\{?home\}?|\$\{?userprofile\}?|[a-z]:[\\/]?)(?:\/?\*|\/\.\*|\/\.|\/\.?\[[^\s]{0,10}\]\*|\/\.\?\?\*)?\/?$/,
  /^\/(?:etc|usr|var|home|boot|s?bin|lib(?:64)?|root|opt|srv|sys|proc|dev|mnt|media|users|system|library|applications)(?:\/\*?|\/\.\*)?$/,
  /^(?:~|\$\{?home\}?)\/(?:\.ssh|\.aws|\.gnupg|\.config|documents|desktop|pictures|projects|src|code|work)(?:\/\*?)?$/,
  /^(?:\.\.\/)*\.\.(?:\/\*)?$/,
];

function removals(searched: Searched): Sign[] {
  const doomed = searched.view.text.matchAll(RM).filter(([, flags = "", targets = ""]) => {
    const recursive = /\s-\w*r|--recursive|--no-preserve-root/.test(flags + targets);
    const named = targets.split(/\s+/).map((target) => target.replace(/[.,:]$/, ""));
    return recursive && named.some((target) => DOOMED.some((pattern) => pattern.test(target)));
  });
  const spans = doomed.map(({ index, 0: found }) => ({ index, length: found.replace(/[.,:]$/, "").length }));
  return firstUnquoted(searched, "deletes what cannot be replaced", spans);
}
