import type { Client } from "pg";

/** Pause before a lost connection is made again. */
const RECONNECT_MS = 500;

/** Hears what is told on channels. */
export interface Listener {
  /**
   * Calls back whenever something is told on a channel, and after the connection was lost and made again, since nobody knows
   * what was told meanwhile. Throws where the first connection cannot be made.
   */
  listen(channel: string, heard: () => void): Promise<void>;
  close(): Promise<void>;
}

/** Listens on a connection of its own, which it makes when it is first asked to, and again whenever it was lost. */
export function createListener(open: () => Client): Listener {
  const channels = new Map<string, (() => void)[]>();
  let client: Client | null = null;
  let isClosed = false;
  const tell = (channel: string) => {
    for (const heard of channels.get(channel) ?? []) heard();
  };
  const connect = async (): Promise<Client> => {
    const made = open();
    made.on("notification", ({ channel }) => tell(channel));
    await made.connect();
    made.on("end", () => void reconnect(made));
    for (const channel of channels.keys()) await made.query(`listen "${channel}"`);
    client = made;
    return made;
  };
  const reconnect = async (lost: Client): Promise<void> => {
    if (client === lost) client = null;
    while (client === null && !isClosed) {
      await Bun.sleep(RECONNECT_MS);
      if (isClosed) return;
      const made = await connect().catch(() => null);
      if (made) for (const channel of channels.keys()) tell(channel);
    }
  };
  return {
    listen: async (channel, heard) => {
      const all = channels.get(channel);
      channels.set(channel, [...(all ?? []), heard]);
      if (client === null) await connect();
      else if (all === undefined) await client.query(`listen "${channel}"`);
    },
    close: async () => {
      isClosed = true;
      await client?.end();
    },
  };
}
