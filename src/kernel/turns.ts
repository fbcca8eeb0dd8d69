/** Pieces of long work that are done before requests have their turn. */
const PIECES_PER_TURN = 8;

/** Lets the event loop turn once, so that requests have their turn. */
export const turn = (): Promise<void> => new Promise((resume) => setTimeout(resume, 0));

/** Lets requests have their turn after every eighth piece of long work; pieces are counted from 0. */
export async function turnAfter(piece: number): Promise<void> {
  if (piece % PIECES_PER_TURN === PIECES_PER_TURN - 1) await turn();
}

/** Maps a list as `map` of arrays does, while requests have their turn. */
export async function mapInTurns<T, R>(all: readonly T[], map: (one: T, at: number) => R): Promise<R[]> {
  const mapped: R[] = [];
  for (const [at, one] of all.entries()) {
    mapped.push(map(one, at));
    await turnAfter(at);
  }
  return mapped;
}
