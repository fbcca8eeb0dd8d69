import { Loading, Page } from "../../kit/layout.tsx";

export const EntitiesPage = () => (
  <Page title="Entities">
    <Loading />
  </Page>
);
