import { useLocation } from "preact-iso";

/** Gives the address of a memory: on the page of memories that of the list as it is, with the memory open. */
export function useMemoryLink(): (id: string) => string {
  const { path, query } = useLocation();
  return (id) => {
    const params = new URLSearchParams(path === "/memories" ? query : {});
    params.delete("new");
    params.set("id", id);
    return `/memories?${params}`;
  };
}
