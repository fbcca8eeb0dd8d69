/** Lets the event loop turn once: between two pieces of work that only read and write the data, callers get their turn. */
export const turn = (): Promise<void> => new Promise((resume) => setTimeout(resume, 0));
