import { useCall } from "../../api/query.ts";
import { useAddress } from "../../hooks/address.ts";
import { Button } from "../../kit/controls.tsx";
import { Page } from "../../kit/layout.tsx";
import { ProjectSelect } from "../../kit/project-select.tsx";
import { CollectionList } from "./collections.tsx";
import { conditionsOf, inAddress } from "./conditions.ts";
import { DocumentList } from "./document-list.tsx";
import { DocumentPanel } from "./document-panel.tsx";
import { Found, SearchForm } from "./document-search.tsx";
import { NewDocument } from "./new-document.tsx";

/** What of the address belongs to one collection or one document, and goes when another is opened. */
const LESS = { doc_id: null, edit: null, new: null } as const;
const UNNARROWED = { where: null, order_by: null, order: null } as const;

/** Records kept under a key: collections, their documents, and one of them. */
export function DocumentsPage() {
  const { values, set } = useAddress();
  const { collection = null, doc_id = null, project: fleet_id = null, q = null } = values;
  const collections = useCall("listCollections", { query: fleet_id === null ? {} : { fleet_id } }, [
    "documents",
    "skills",
  ]);
  const href = (name: string) =>
    `/documents?${new URLSearchParams({ collection: name, ...(fleet_id === null ? {} : { project: fleet_id }) })}`;
  const names = (collections.data?.collections ?? []).map(({ name }) => name);
  const isOpen = collection !== null && doc_id !== null;
  return (
    <Page
      title="Documents"
      about="Records that agents and people keep under a key"
      actions={
        <>
          <SearchForm key={q} query={q ?? ""} onSearch={(query) => set({ ...LESS, q: query })} />
          <ProjectSelect value={fleet_id ?? ""} onChange={(project) => set({ project })} />
          <Button kind="primary" onClick={() => set({ new: "1", edit: null })}>
            Write a document
          </Button>
        </>
      }
    >
      {values.new === "1" && (
        <NewDocument
          collection={collection}
          fleet_id={fleet_id}
          collections={names}
          onWritten={(name, key) => set({ ...LESS, ...UNNARROWED, q: null, collection: name, doc_id: key })}
          onCancel={() => set({ new: null })}
        />
      )}
      <div class={`documents ${isOpen ? "is-open" : ""}`}>
        <CollectionList of={collections} open={collection} href={href} />
        {q !== null ? (
          <Found
            query={q}
            collection={values.in ?? null}
            collections={names}
            fleet_id={fleet_id}
            open={{ collection, doc_id }}
            onCollection={(name) => set({ ...LESS, in: name })}
            onOpen={(name, key) => set({ ...LESS, collection: name, doc_id: key })}
            onClose={() => set({ q: null, in: null })}
          />
        ) : (
          collection !== null && (
            <DocumentList
              key={collection}
              collection={collection}
              fleet_id={fleet_id}
              conditions={conditionsOf(values)}
              open={doc_id}
              onConditions={(conditions) => set({ ...LESS, ...inAddress(conditions) })}
              onOpen={(key) => set({ ...LESS, doc_id: key })}
            />
          )
        )}
        {collection !== null && doc_id !== null && (
          <DocumentPanel
            key={`${collection}/${doc_id}`}
            collection={collection}
            doc_id={doc_id}
            isEdited={values.edit === "1"}
            onEdit={(isEdited) => set({ edit: isEdited ? "1" : null }, { replace: true })}
            onClose={() => set(LESS)}
          />
        )}
      </div>
    </Page>
  );
}
