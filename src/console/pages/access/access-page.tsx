import { Loading, Page } from "../../kit/layout.tsx";

export const AccessPage = () => (
  <Page title="Access">
    <Loading />
  </Page>
);
