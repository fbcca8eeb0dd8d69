import { TEXT } from "./base/text.ts";

/** How often hooks told a memory, how often it could be seen whether that was taken up, and how often it was. */
export const tellings: readonly string[] = [
  `create table tellings (
    tenant_id ${TEXT} not null,
    memory_seq bigint not null,
    told integer not null,
    watched integer not null,
    used integer not null,
    last_told_at ${TEXT} not null,
    primary key (tenant_id, memory_seq),
    foreign key (tenant_id, memory_seq) references memories (tenant_id, seq)
  )`,
];
