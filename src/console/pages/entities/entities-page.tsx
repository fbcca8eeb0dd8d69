import { useAddress } from "../../hooks/address.ts";
import { EntityList } from "./entity-list.tsx";
import { EntityView } from "./entity-view.tsx";

/** The things that memories name: all of them, or one. */
export function EntitiesPage() {
  const address = useAddress();
  const { id } = address.values;
  return id ? <EntityView key={id} id={id} address={address} /> : <EntityList address={address} />;
}
