import type { StoredDocument } from "../core/ports/document-store.ts";
import type { Keystone } from "../core/schema/keystone.ts";
import { KeystoneData } from "../core/schema/keystone.ts";
import { toDocumentView } from "../documents/view.ts";

/** What a stored rule says; documents of this collection are only ever written by `writeKeystone`. */
export const keystoneData = ({ data }: StoredDocument): KeystoneData => KeystoneData.parse(data);

/** A rule as replies show it. */
export function toKeystoneView(document: StoredDocument): Keystone {
  return { ...toDocumentView(document), data: keystoneData(document) };
}
