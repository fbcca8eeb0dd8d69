/** A collection that Cairn itself keeps: what lies there, and which page is for it. */
interface OwnCollection {
  readonly about: string;
  readonly page: { readonly name: string; readonly href: string } | null;
  /** The server takes no documents there by the routes of documents. */
  readonly isReadOnly: boolean;
}

const SKILLS_PAGE = { name: "Skills", href: "/skills" };

/** What Cairn keeps in a collection; null for a collection of its callers. */
export function ownCollection(collection: string, doc_id: string | null): OwnCollection | null {
  if (collection === "_keystones") {
    const href = doc_id === null ? "/keystones" : `/keystones?${new URLSearchParams({ rule: doc_id })}`;
    return { about: "These are keystones.", page: { name: "Keystones", href }, isReadOnly: true };
  }
  if (collection === "_keystone_proposals") {
    const page = { name: "Keystones", href: "/keystones" };
    return { about: "These are rules that agents proposed; they bind nobody.", page, isReadOnly: true };
  }
  if (collection === "_skill_updates")
    return { about: "These are changes of skills that wait for a review.", page: SKILLS_PAGE, isReadOnly: true };
  if (collection === "skills")
    return { about: "These are skills. What is saved here goes by their rules.", page: SKILLS_PAGE, isReadOnly: false };
  if (collection.startsWith("_")) return { about: "Cairn itself keeps this collection.", page: null, isReadOnly: true };
  return null;
}
