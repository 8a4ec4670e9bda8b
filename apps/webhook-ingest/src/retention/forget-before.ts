/** How long a tenant's notifications are kept, in days. */
export interface Retention {
  readonly bodyDays: number;
  /** Never less than `bodyDays`. */
  readonly keyDays: number;
}

const DAY_MS = 86_400_000;

/** What was received before these is to be forgotten: contents first, and the keys that tell a repeat later. Pure. */
export function forgetBefore(
  { bodyDays, keyDays }: Retention,
  now: Date,
): { readonly bodies: Date; readonly keys: Date } {
  return { bodies: new Date(now.getTime() - bodyDays * DAY_MS), keys: new Date(now.getTime() - keyDays * DAY_MS) };
}
