/** A job words rows anew that are in other languages than English, beside the calls of others. */
export const wordsOfLanguages = `
insert into jobs (kind, payload, run_after, attempt, rank)
  select 'reword_rows', '{}', 0, 0, 1
  where exists (select 1 from memories) or exists (select 1 from documents);
`;
