import { Loading, Page } from "../../kit/layout.tsx";

export const OperationsPage = () => (
  <Page title="Operations">
    <Loading />
  </Page>
);
