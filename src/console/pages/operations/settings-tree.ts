import { isRecord } from "../../api/problem.ts";

export type SettingValue = number | boolean | string | null;

/** Settings that stand together, by the path of the member that holds them. */
interface SettingGroup {
  readonly path: string;
  readonly settings: readonly (readonly [path: string, value: SettingValue])[];
}

/** The groups of a tree, each before those within it. */
export function groupsOf(tree: Readonly<Record<string, unknown>>, path = ""): SettingGroup[] {
  const at = (name: string) => (path === "" ? name : `${path}.${name}`);
  const settings = Object.entries(tree).flatMap(([name, value]) =>
    isValue(value) ? [[at(name), value] as const] : [],
  );
  const within = Object.entries(tree).flatMap(([name, value]) => (isRecord(value) ? groupsOf(value, at(name)) : []));
  return settings.length === 0 ? within : [{ path, settings }, ...within];
}

const isValue = (value: unknown): value is SettingValue => value === null || typeof value !== "object";

type Tree = { [name: string]: SettingValue | Tree };

/** The smallest tree that holds these settings, to be merged into the whole. */
export function treeOf(changes: Readonly<Record<string, SettingValue>>): Tree {
  const tree: Tree = {};
  for (const [path, value] of Object.entries(changes)) {
    const names = path.split(".");
    const last = names.pop() ?? path;
    let here = tree;
    for (const name of names) {
      const next = here[name];
      const inner: Tree = typeof next === "object" && next !== null ? next : {};
      here[name] = inner;
      here = inner;
    }
    here[last] = value;
  }
  return tree;
}
