/** Where the console's page is served to browsers; what it shows of an address is its own matter. */
export const CONSOLE_PATHS = [
  "/",
  "/memories",
  "/search",
  "/conflicts",
  "/entities",
  "/documents",
  "/keystones",
  "/skills",
  "/projects",
  "/access",
  "/operations",
] as const;
