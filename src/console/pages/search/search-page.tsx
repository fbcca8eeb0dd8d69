import { Loading, Page } from "../../kit/layout.tsx";

export const SearchPage = () => (
  <Page title="Search">
    <Loading />
  </Page>
);
