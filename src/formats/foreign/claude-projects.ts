import { z } from "zod";
import type { JsonValue } from "../../core/kernel/json.ts";
import type { Place, ReadLine } from "../reader.ts";
import { shapeFault } from "./shared/files.ts";
import { isTooShort, memoryLines, projectOf, storable, told } from "./shared/memory.ts";
import { firstDate } from "./shared/times.ts";

/** The collection that the files of projects go to. */
const COLLECTION = "claude-projects";

const text = z.string().nullish();
const Project = z.object({
  uuid: z.string(),
  name: z.string(),
  description: text,
  prompt_template: text,
  created_at: text,
  updated_at: text,
  docs: z.array(z.unknown()).nullish(),
});
type Project = z.infer<typeof Project>;
const Doc = z.object({ uuid: z.string(), filename: z.string(), content: z.string(), created_at: text });

/** The names of projects by their ids. */
export const projectNames = (entries: readonly JsonValue[]): ReadonlyMap<string, string> =>
  new Map(
    entries.flatMap((entry) => {
      const { data } = Project.pick({ uuid: true, name: true }).safeParse(entry);
      return data ? [[data.uuid, data.name] as const] : [];
    }),
  );

/** A project's description and instructions as memories, its files as documents. */
export function projectLines(tool: string, place: Place, entry: JsonValue): ReadLine[] {
  const { data, error } = Project.safeParse(entry);
  if (error) return [{ place, fault: shapeFault(error) }];
  const said = [
    { what: "description", said: data.description },
    { what: "instructions", said: data.prompt_template },
  ];
  return [
    ...(data.docs ?? []).flatMap((doc, index) => docLines(place, data, doc, index)),
    ...said.flatMap(({ what, said }) =>
      !said || isTooShort(said)
        ? []
        : memoryLines(place, {
            tool,
            id: ["project", data.uuid, what],
            text: said,
            subject: `Project ${data.name}, ${what}`,
            title: data.name,
            run_id: data.uuid,
            project: data.name,
            created_at: data.created_at,
            imported: { project: data.uuid, what, updated_at: data.updated_at },
          }),
    ),
  ];
}

function docLines(place: Place, project: Project, written: unknown, index: number): ReadLine[] {
  const { data, error } = Doc.safeParse(written);
  if (error) return [{ place, fault: `docs.${index}: ${shapeFault(error)}` }];
  const { uuid: doc_id, filename, content, created_at } = data;
  const { at, remarks } = firstDate("created_at", [created_at, project.created_at]);
  const summary = storable(`${project.name}: ${filename}`);
  const doc = { summary, filename, content: storable(content), project: project.name, project_uuid: project.uuid };
  return [
    {
      place,
      record: {
        ...{ record: "document", collection: COLLECTION, doc_id, data: told(doc), created_at: at },
        ...projectOf(project.name),
      },
      remarks,
    },
  ];
}
