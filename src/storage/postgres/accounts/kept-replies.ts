import * as replies from "../../accounts/kept-replies.ts";
import type { TenantWork } from "../engine/work.ts";
import { postgresDialect as dialect } from "../units/dialect.ts";
import { drive } from "../units/drive.ts";

/** Forgets the replies that show any of these rows, inside the caller's transaction. */
export const eraseReplies = (work: TenantWork, ids: readonly string[]): Promise<void> =>
  drive(work, replies.eraseReplies({ dialect, tenant_id: work.tenant_id }, ids));
