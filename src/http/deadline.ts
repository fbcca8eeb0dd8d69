import type { AppError } from "../core/kernel/errors.ts";

/** Throws what `late` makes when the work is not done at the deadline (of `performance.now()`); the work itself goes on. */
export async function withinTime<T>(work: Promise<T>, deadline: number, late: () => AppError): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), deadline - performance.now());
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
