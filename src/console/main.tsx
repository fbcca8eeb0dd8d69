import { render } from "preact";
import { AccessPage } from "./pages/access/access-page.tsx";
import { ConflictsPage } from "./pages/conflicts/conflicts-page.tsx";
import { DocumentsPage } from "./pages/documents/documents-page.tsx";
import { EntitiesPage } from "./pages/entities/entities-page.tsx";
import { KeystonesPage } from "./pages/keystones/keystones-page.tsx";
import { MemoriesPage } from "./pages/memories/memories-page.tsx";
import { OperationsPage } from "./pages/operations/operations-page.tsx";
import { OverviewPage } from "./pages/overview/overview-page.tsx";
import { ProjectsPage } from "./pages/projects/projects-page.tsx";
import { SearchPage } from "./pages/search/search-page.tsx";
import { SkillsPage } from "./pages/skills/skills-page.tsx";
import type { PageTable } from "./shell/app.tsx";
import { App } from "./shell/app.tsx";

const pages: PageTable = {
  "/": OverviewPage,
  "/memories": MemoriesPage,
  "/search": SearchPage,
  "/conflicts": ConflictsPage,
  "/entities": EntitiesPage,
  "/documents": DocumentsPage,
  "/keystones": KeystonesPage,
  "/skills": SkillsPage,
  "/projects": ProjectsPage,
  "/access": AccessPage,
  "/operations": OperationsPage,
};

const root = document.getElementById("console");
if (root) render(<App pages={pages} />, root);
