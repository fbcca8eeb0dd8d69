import { Loading, Page } from "../../kit/layout.tsx";

export const DocumentsPage = () => (
  <Page title="Documents">
    <Loading />
  </Page>
);
