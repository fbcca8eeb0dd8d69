/** Jobs that searches wait for have the rank 0, all others 1: what is next of either is looked up. */
export const jobRanks = `
  alter table jobs add column rank integer not null default 1;
  update jobs set rank = 0 where kind in ('embed_memories', 'embed_documents');
  create index jobs_by_rank on jobs (rank, run_after);
`;
