import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

/** Appears a moment after what stands around it, so that its calls go out behind theirs. */
export function Later({ children }: { children: ComponentChildren }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true));
    return () => clearTimeout(timer);
  }, []);
  return <>{isShown && children}</>;
}
