import { useState } from "preact/hooks";
import { call } from "../../api/call.ts";
import { apiKey } from "../../api/key.ts";
import { useCall } from "../../api/query.ts";
import type { Key, KeyMinted } from "../../api/schemas.gen.ts";
import { Button } from "../../kit/controls.tsx";
import { Dialog } from "../../kit/dialog.tsx";
import { Empty, Panel, Show } from "../../kit/layout.tsx";
import { toast } from "../../kit/toast.tsx";
import { KeysTable } from "./keys-table.tsx";
import { MintForm } from "./mint-form.tsx";
import { MintedDialog } from "./minted-dialog.tsx";

/** The keys that callers send: makes them, lists them, ends them. */
export function KeysTab() {
  const keys = useCall("listKeys", {}, ["access"]);
  const [minted, setMinted] = useState<KeyMinted | null>(null);
  const [revoking, setRevoking] = useState<Key | null>(null);
  const revoke = async ({ id, key_prefix }: Key) => {
    await call("revokeKey", { path: { key_id: id } });
    setRevoking(null);
    keys.reload();
    toast(`The key ${key_prefix}… is revoked.`);
  };
  return (
    <>
      {keys.data && (
        <Panel title="Mint a key">
          <MintForm
            onMinted={(key) => {
              setMinted(key);
              keys.reload();
            }}
          />
        </Panel>
      )}
      <Panel title="Keys">
        <Show of={keys}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title="No key was made yet.">
                <p>
                  On this machine its account needs none, as long as the server listens on loopback and was not started
                  with <code>--no-standalone</code>.
                </p>
              </Empty>
            ) : (
              <KeysTable keys={items} onRevoke={setRevoking} />
            )
          }
        </Show>
      </Panel>
      {minted && <MintedDialog minted={minted} onClose={() => setMinted(null)} />}
      {revoking && (
        <Dialog title="Revoke a key" onClose={() => setRevoking(null)}>
          <p>
            {revoking.agent_id === null ? "Whoever calls" : `What calls as the agent ${revoking.agent_id}`} with the key{" "}
            <code>{revoking.key_prefix}…</code>
            {revoking.label && ` (${revoking.label})`} is refused from the next call on, and its streams of changes end.
            Memories and the agent stay. A revoked key cannot be taken back into use: mint another one instead.
          </p>
          {isOwn(revoking) && (
            <p class="field-problem">
              It seems to be the key that this tab is signed in with: you will have to sign in anew.
            </p>
          )}
          <div class="actions">
            <Button kind="danger" onClick={() => revoke(revoking)}>
              Revoke it
            </Button>
            <Button onClick={() => setRevoking(null)}>Keep it</Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

const isOwn = ({ key_prefix }: Key): boolean => apiKey.value?.startsWith(key_prefix) ?? false;
