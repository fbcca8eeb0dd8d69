import { Loading, Page } from "../../kit/layout.tsx";

export const KeystonesPage = () => (
  <Page title="Keystones">
    <Loading />
  </Page>
);
