import { TEXT } from "./base/text.ts";

/** How often hooks told a memory, and how often that was taken up. */
export const tellings: readonly string[] = [
  `create table tellings (
    tenant_id ${TEXT} not null,
    memory_seq bigint not null,
    told integer not null,
    used integer not null,
    last_told_at ${TEXT} not null,
    primary key (tenant_id, memory_seq),
    foreign key (tenant_id, memory_seq) references memories (tenant_id, seq)
  )`,
];
