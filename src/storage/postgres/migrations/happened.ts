/**
 * When something happened: from when the text or its writer has it, else when its writer says that it was told, else when it was
 * written. As the index has it, so that a search by it is one of the index; `of` names the table.
 */
export const happenedAt = (of: "" | "memories."): string =>
  `(coalesce(${of}ts_valid_start, ${of}system_metadata ->> 'reference_datetime', ${of}created_at) collate "C")`;

/** Rows by when they happened. */
export const happened: readonly string[] = [
  `create index memories_by_happening on memories (tenant_id, ${happenedAt("")})`,
];
