/** Where a memory is shown. */
export const memoryHref = (id: string): string => `/memories?id=${encodeURIComponent(id)}`;
