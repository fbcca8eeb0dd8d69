/** Which release brought the file to which shape: what a refusal of a file from the future can name. */
export const releases = `
create table releases (
  shape integer primary key,
  release text not null
) strict;
`;
