/** The terms of everything of others within Cairn. */
export async function licencesText(): Promise<string> {
  // Its path is looked up and its bytes are read only when somebody asks.
  const { default: path } = await import("./licences.txt", { with: { type: "file" } });
  return Bun.file(path).text();
}
