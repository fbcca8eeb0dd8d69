import { Loading, Page } from "../../kit/layout.tsx";

export const MemoriesPage = () => (
  <Page title="Memories">
    <Loading />
  </Page>
);
