import { useLocation } from "preact-iso";

/** What the address holds behind its `?`, and ways to change it: filters and what is open stay in it, so that it can be kept and sent. */
export interface AddressQuery {
  readonly values: Readonly<Record<string, string>>;
  /** Sets members, takes off those that are null or empty; `replace` leaves no step to go back to. */
  set(changes: Readonly<Record<string, string | null>>, options?: { readonly replace?: boolean }): void;
}

/** The members of the address of the present page. */
export function useAddress(): AddressQuery {
  const { query, route } = useLocation();
  return {
    values: query,
    set: (changes, { replace = false } = {}) => {
      // As it is now: what was set since the last rendering stays.
      const { pathname, search: present } = location;
      const params = new URLSearchParams(present);
      for (const [name, value] of Object.entries(changes)) {
        if (value === null || value === "") params.delete(name);
        else params.set(name, value);
      }
      const search = params.toString();
      route(search === "" ? pathname : `${pathname}?${search}`, replace);
    },
  };
}
