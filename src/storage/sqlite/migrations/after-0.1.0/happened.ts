/**
 * When something happened: from when the text or its writer has it, else when its writer says that it was told, else when it was
 * written. As the index has it, so that a search by it is one of the index; `of` names the table.
 */
export const happenedAt = (of: "" | "memories."): string =>
  `coalesce(${of}ts_valid_start, case when json_valid(${of}system_metadata) then ${of}system_metadata ->> '$.reference_datetime' end, ${of}created_at)`;

/** Rows by when they happened. */
export const happened = `create index memories_by_happening on memories (tenant_id, ${happenedAt("")});`;
