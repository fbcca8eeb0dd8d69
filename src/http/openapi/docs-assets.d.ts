/** Swagger UI's files, imported `with { type: "file" }`: each is the path to its bytes, on disk or inside the executable. */
declare module "swagger-ui-dist/*" {
  const path: string;
  export default path;
}

/** The page's own script, imported the same way. */
declare module "*/docs-script.js" {
  const path: string;
  export default path;
}
