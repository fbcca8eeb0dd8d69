/** The console, built and compressed by `npm run build:console`, imported `with { type: "file" }`: the path to its bytes. */
declare module "*/page.built" {
  const path: string;
  export default path;
}
