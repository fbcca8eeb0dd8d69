import { AppError } from "../../core/kernel/errors.ts";

/** Throws PLAN_LIMIT_READ_ONLY where a tenant that holds so many documents takes no new one. */
export function requireRoomForDocument(stored: number, documents_limit: number): void {
  if (stored < documents_limit) return;
  throw new AppError(
    "PLAN_LIMIT_READ_ONLY",
    `The limit of ${documents_limit} documents is reached: nothing was stored. Delete documents or raise CAIRN_DOCUMENTS_LIMIT.`,
    { documents_limit },
  );
}
