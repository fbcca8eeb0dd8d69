/** Who has a memory that is not deleted is looked up, however many deleted ones there are. */
export const liveAuthors = `
  create index memories_live_by_author on memories (author) where deleted_at is null;
`;
