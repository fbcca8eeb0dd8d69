/** How long the browser may take to begin reading what is saved. */
const KEPT_MS = 60_000;

/** Has the browser save parts as one file. */
export function save(parts: BlobPart[], name: string, type = "application/x-ndjson"): void {
  const address = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}
