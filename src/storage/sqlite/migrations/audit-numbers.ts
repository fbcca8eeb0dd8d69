/** Each tenant's audit entries are counted by themselves: a number of the whole file tells how much others do. */
export const auditNumbers = `
  alter table audit_log add column number integer not null default 0;
  update audit_log set number = counted.number
    from (select id, row_number() over (partition by tenant_id order by id) as number from audit_log) as counted
    where counted.id = audit_log.id;
  update forge_runs set audit_id = audit_log.number from audit_log where audit_log.id = forge_runs.audit_id;
  create unique index audit_by_number on audit_log (tenant_id, number);
`;
