import { Loading, Page } from "../../kit/layout.tsx";

export const SkillsPage = () => (
  <Page title="Skills">
    <Loading />
  </Page>
);
