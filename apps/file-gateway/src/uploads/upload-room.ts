/** Bounds of what a tenant's uploads may take, in bytes. */
export interface UploadBounds {
  readonly quotaBytes: number;
  /** Free space of the disk where they are stored; null if it is unknown. */
  readonly freeBytes: number | null;
}

/**
 * Decides whether a tenant whose uploads have `takenBytes` may take `moreBytes` (rule 31): no more than its quota, and
 * no more than half of the space that would be free without its uploads.
 */
export function hasRoom(
  { takenBytes, moreBytes }: { readonly takenBytes: number; readonly moreBytes: number },
  { quotaBytes, freeBytes }: UploadBounds,
): boolean {
  const most = freeBytes === null ? quotaBytes : Math.min(quotaBytes, (takenBytes + freeBytes) / 2);
  return takenBytes + moreBytes <= most;
}
