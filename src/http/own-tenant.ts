import { z } from "zod";
import { isJsonObject } from "../core/kernel/json.ts";
import { TenantId } from "../core/schema/common.ts";

/** The fields that name a tenant and may be left out of a request. */
export const tenantFields = (schema: z.ZodObject): string[] =>
  Object.entries(schema.shape).flatMap(([name, field]) => (field === TenantId ? [name] : []));

/** A part of a request with the caller's own tenant where it names none; whether it may name another is the verb's to say. */
export function withOwnTenant(schema: z.ZodType | undefined, value: unknown, tenant_id: string | null): unknown {
  if (tenant_id === null || !(schema instanceof z.ZodObject) || !isJsonObject(value)) return value;
  const absent = tenantFields(schema).filter((name) => !(name in value));
  return absent.length === 0 ? value : { ...value, ...Object.fromEntries(absent.map((name) => [name, tenant_id])) };
}
