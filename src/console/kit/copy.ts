import { toast } from "./toast.tsx";

/** Copies a text and says so, in other words where they are given. Throws where the browser does not allow it. */
export async function copyText(text: string, done = "Copied."): Promise<void> {
  if (isSecureContext) await navigator.clipboard.writeText(text);
  else copyByEvent(text);
  toast(done);
}

/** A page that came by plain http from another machine is given no clipboard, but may answer a copy that is made for it. */
function copyByEvent(text: string): void {
  let isTaken = false;
  const answer = (event: ClipboardEvent) => {
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
    isTaken = event.clipboardData !== null;
  };
  document.addEventListener("copy", answer);
  document.execCommand("copy");
  document.removeEventListener("copy", answer);
  if (!isTaken) throw new Error("This browser lets no page from here copy. Select the text and copy it.");
}
