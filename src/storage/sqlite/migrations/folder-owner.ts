/** Which process writes: a second one that got past the lock shows here, whatever became of the lock's file. */
export const folderOwner = `
create table folder_owner (
  id integer primary key check (id = 1),
  token text not null,
  lock_inode text not null
) strict;
`;
