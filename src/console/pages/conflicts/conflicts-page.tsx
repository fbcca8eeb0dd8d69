import { Loading, Page } from "../../kit/layout.tsx";

export const ConflictsPage = () => (
  <Page title="Conflicts">
    <Loading />
  </Page>
);
