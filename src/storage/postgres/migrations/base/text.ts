/** Texts are compared by their bytes, as everywhere in Cairn, whatever language the database sorts by. */
export const TEXT = 'text collate "C"';
/** Several of them in one column. */
export const TEXTS = 'text[] collate "C"';
