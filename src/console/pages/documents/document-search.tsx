import { useState } from "preact/hooks";
import { useCall } from "../../api/query.ts";
import { Button, Select } from "../../kit/controls.tsx";
import { docsOf } from "../../kit/curl.ts";
import { Empty, Panel, Show } from "../../kit/layout.tsx";
import { decimals, plural } from "../../kit/numbers.ts";
import { Text } from "../../kit/text.tsx";
import { gist } from "./gist.ts";

interface SearchFormProps {
  readonly query: string;
  readonly onSearch: (query: string) => void;
}

/** Asks for documents by meaning and keyword. */
export function SearchForm({ query, onSearch }: SearchFormProps) {
  const [typed, setTyped] = useState(query);
  const search = (event: Event) => {
    event.preventDefault();
    onSearch(typed.trim());
  };
  return (
    <search>
      <form class="row" onSubmit={search}>
        <input
          dir="auto"
          type="search"
          class="document-search"
          aria-label="Search documents by meaning and keyword"
          placeholder="Search by meaning and keyword"
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <button type="submit">Search</button>
      </form>
    </search>
  );
}

interface FoundProps {
  readonly query: string;
  /** The one that is searched; null for all of them. */
  readonly collection: string | null;
  readonly collections: readonly string[];
  readonly fleet_id: string | null;
  readonly open: { readonly collection: string | null; readonly doc_id: string | null };
  readonly onCollection: (collection: string) => void;
  readonly onOpen: (collection: string, doc_id: string) => void;
  readonly onClose: () => void;
}

const TOP_K = 20;

/** What a search found, best first. */
export function Found(props: FoundProps) {
  const { query, collection, collections, fleet_id, open, onCollection, onOpen, onClose } = props;
  const found = useCall("searchDocuments", { body: { query, collection, fleet_id, top_k: TOP_K } }, ["documents"]);
  return (
    <Panel
      title={
        <>
          Found for “<Text value={query} />”
        </>
      }
      actions={
        <>
          <Select
            label="Searched collection"
            value={collection ?? ""}
            options={[["", "All collections"], ...[...new Set([...collections, collection ?? ""])].filter(Boolean)]}
            onChange={onCollection}
          />
          <Button label="Close the search" onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      <Show of={found}>
        {({ results }) =>
          results.length === 0 ? (
            <Empty title="Nothing found.">
              Search reaches documents with a summary alone; the others are found by key, list and equal members.{" "}
              <a href={docsOf("Documents", "searchDocuments")} target="_self">
                How search works over HTTP
              </a>
            </Empty>
          ) : (
            <>
              <p class="dim small">{plural(results.length, "document")}, best first</p>
              <ul class="document-hits">
                {results.map((hit) => (
                  <li key={`${hit.collection}/${hit.doc_id}`}>
                    <button
                      type="button"
                      class="list-button"
                      data-row
                      aria-current={hit.collection === open.collection && hit.doc_id === open.doc_id}
                      onClick={() => onOpen(hit.collection, hit.doc_id)}
                    >
                      <strong>
                        <Text value={`${hit.collection} / ${hit.doc_id}`} />
                      </strong>
                      <span>
                        <Text value={gist(hit.data)} />
                      </span>
                      <small class="dim">
                        score {decimals(hit.score)} · similarity {decimals(hit.similarity)}
                      </small>
                    </button>
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </Show>
    </Panel>
  );
}
