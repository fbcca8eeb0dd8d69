import type { FunctionComponent } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { LocationProvider, Route, Router, useLocation } from "preact-iso";
import { keyRefused } from "../api/call.ts";
import { apiKey } from "../api/key.ts";
import { Empty, Page, Problem } from "../kit/layout.tsx";
import { Toasts } from "../kit/toast.tsx";
import { Help } from "./help.tsx";
import { identify, identity, identityProblem } from "./identity.ts";
import { KnownProjects } from "./known-projects.ts";
import { LostServer, SideBar, TopBar } from "./nav.tsx";
import { PAGES } from "./pages.ts";
import { Palette } from "./palette.tsx";
import { listenToKeys, overlay } from "./shortcuts.ts";
import { SignIn } from "./sign-in.tsx";

/** The component of each page, by its path. */
export type PageTable = Readonly<Record<string, FunctionComponent>>;

const RETRY_MS = 2_000;
/** Links to these are followed within the page. */
const PAGE_ADDRESS = new RegExp(`^(?:${PAGES.map(({ path }) => path).join("|")})(?:\\?.*)?$`);

/** The whole console. */
export function App({ pages }: { pages: PageTable }) {
  useEffect(() => void identify(), []);
  const failed = identityProblem.value;
  useEffect(() => {
    if (failed?.code !== "UNREACHABLE") return;
    const timer = setTimeout(() => void identify(), RETRY_MS);
    return () => clearTimeout(timer);
  }, [failed]);
  const refused = keyRefused.value;
  const isAnonymous = identity.value?.tenant_id === null;
  if (failed?.status === 401) return <SignIn refused={failed} />;
  if (refused !== null && apiKey.value !== null) return <SignIn refused={refused} />;
  if (isAnonymous) return <SignIn refused={null} />;
  return (
    <LocationProvider scope={PAGE_ADDRESS}>
      <Frame pages={pages} problem={failed} />
    </LocationProvider>
  );
}

function Frame({ pages, problem }: { pages: PageTable; problem: typeof identityProblem.value }) {
  const { route, path } = useLocation();
  const [menuOpen, setMenuOpen] = useState(false);
  // Before the page is painted: a key counts as soon as there is a page to press it on.
  useLayoutEffect(() => listenToKeys(route), [route]);
  useEffect(() => document.getElementById("main")?.scrollTo(0, 0), [path]);
  return (
    <div class={`frame ${menuOpen ? "menu-open" : ""}`}>
      <a class="skip" href="#main" target="_self">
        Skip to the page
      </a>
      <TopBar isOpen={menuOpen} onMenu={() => setMenuOpen(!menuOpen)} />
      <SideBar onGo={() => setMenuOpen(false)} />
      <main id="main" tabIndex={-1}>
        <LostServer />
        {problem && <Problem problem={problem} retry={identify} />}
        <Router>
          {[
            ...Object.entries(pages).map(([at, component]) => <Route key={at} path={at} component={component} />),
            <Route key="none" default component={NoPage} />,
          ]}
        </Router>
      </main>
      <KnownProjects />
      {overlay.value === "palette" && <Palette />}
      {overlay.value === "help" && <Help />}
      <Toasts />
    </div>
  );
}

const NoPage = () => (
  <Page title="No such page">
    <Empty title="There is no page at this address.">
      <a href="/">Back to the overview</a>
    </Empty>
  </Page>
);
