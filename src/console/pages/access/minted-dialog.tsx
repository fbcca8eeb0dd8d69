import { programsAddress } from "../../api/address.ts";
import type { KeyMinted } from "../../api/schemas.gen.ts";
import { Button, Copyable } from "../../kit/controls.tsx";
import { Dialog } from "../../kit/dialog.tsx";
import { trustWords } from "./trust.ts";

/** Shows a new key this once, with what to do with it. Once it is closed, nobody can see the key again. */
export function MintedDialog({ minted, onClose }: { minted: KeyMinted; onClose: () => void }) {
  const { raw_key, agent_id, trust, admin } = minted;
  return (
    <Dialog title="The new key" wide onClose={onClose}>
      <div class="stack">
        <p>
          <strong>It is shown this once.</strong> Only its hash is kept: take it along before you close this window. It
          speaks for {agent_id === null ? "the whole tenant" : `the agent ${agent_id}`}, with trust {trustWords(trust)}
          {admin && ", as an administrator"}.
        </p>
        <Copyable text={raw_key} label="Copy the key" />
        <h3>With HTTP</h3>
        <Copyable text={`curl -H "X-API-Key: ${raw_key}" ${programsAddress()}/api/v1/whoami`} label="Copy the call" />
        <h3>With the command</h3>
        <Copyable
          text={`export CAIRN_URL=${programsAddress()} CAIRN_KEY=${raw_key}\ncairn status`}
          label="Copy the variables"
        />
        <h3>For an agent, which then reads CAIRN_KEY too</h3>
        <Copyable text="cairn setup claude --http" label="Copy the command" />
        <p class="dim">
          Also: codex, cursor, vscode, gemini, opencode, windsurf, zed, openclaw. It shows what it would change first.
        </p>
        <div class="actions">
          <Button kind="primary" onClick={onClose}>
            I have it
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
