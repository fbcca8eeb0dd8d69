import { useCall } from "../../api/query.ts";
import type { Project } from "../../api/schemas.gen.ts";
import { useAddress } from "../../hooks/address.ts";
import { Badge, Copyable } from "../../kit/controls.tsx";
import { Empty, Page, Panel, Show } from "../../kit/layout.tsx";
import { TableBox } from "../../kit/table-box.tsx";
import { Text } from "../../kit/text.tsx";
import { MemoriesOf } from "./memories-of.tsx";
import { OtherFleets } from "./other-fleets.tsx";
import { ProjectPanel } from "./project-panel.tsx";

/** The projects that are known: what they hold, where they are from, what they are called. */
export function ProjectsPage() {
  const { values, set } = useAddress();
  const found = useCall("listProjects", {}, ["access", "memories"], PACE);
  const all = found.data?.items ?? [];
  const open = all.find(({ id }) => id === values.id);
  const openAt = (id: string | null) => set({ id }, { replace: values.id !== undefined && id !== null });
  const merged = (into: string) => {
    found.reload();
    openAt(into);
  };
  return (
    <Page title="Projects" about="Whose memories they are: what a project holds is told in that project alone">
      <div class={`split projects ${open ? "is-open" : ""}`}>
        <Panel title="Projects">
          <Show of={found}>
            {({ items }) =>
              items.length === 0 ? <NoProjects /> : <ProjectTable projects={items} open={open?.id} onOpen={openAt} />
            }
          </Show>
          <OtherFleets projects={all} onMerged={merged} />
        </Panel>
        {open && (
          <ProjectPanel
            key={open.id}
            project={open}
            others={all.filter(({ id }) => id !== open.id)}
            onChanged={found.reload}
            onMerged={merged}
            onClose={() => openAt(null)}
          />
        )}
        {values.id && !open && found.data && !found.loading && (
          <Panel title="No such project">
            <Empty title={`There is no project of the id ${values.id}.`}>
              It became part of another one, or never was.
            </Empty>
          </Panel>
        )}
      </div>
    </Page>
  );
}

const PACE = { least_ms: 1_000 } as const;

interface ProjectTableProps {
  readonly projects: readonly Project[];
  readonly open: string | undefined;
  readonly onOpen: (id: string) => void;
}

const ProjectTable = ({ projects, open, onOpen }: ProjectTableProps) => (
  <TableBox label="Projects">
    <table>
      <thead>
        <tr>
          <th scope="col">Project</th>
          <th scope="col" class="number">
            Memories
          </th>
          <th scope="col">From</th>
        </tr>
      </thead>
      <tbody>
        {projects.map((project) => (
          <tr key={project.id} aria-current={project.id === open}>
            <th scope="row">
              <button type="button" class="link" data-row onClick={() => onOpen(project.id)}>
                <Text value={project.name} max={80} />
              </button>{" "}
              {project.unsettled_before !== null && <Badge word="to be placed" tone="warn" />}
              {project.absorbing.length > 0 && <Badge word="merging" tone="warn" />}
            </th>
            <td class="number">
              <MemoriesOf fleet_id={project.id} name={project.name} memories={project.memory_count} />
            </td>
            <td>
              <Text value={project.remotes[0] ?? project.places[0] ?? "its name alone"} max={80} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </TableBox>
);

const NoProjects = () => (
  <Empty title="No project is known yet.">
    <p>The first save in a git repository makes one. This says which project a folder is:</p>
    <Copyable text="cairn project" />
  </Empty>
);
