import type { Consumer } from './addresses.ts';

/** The words of `GET /api/notifications?state=`. */
export const NOTIFICATION_STATES = ['waiting', 'sent', 'parked', 'untold'] as const;
/** The words of `GET /api/quarantine?state=`. */
export const QUARANTINE_STATES = ['open', 'reprocessed', 'discarded'] as const;

/** Filters by the name that the API gives them. */
type Filters = Readonly<Record<string, string | undefined>>;

interface Listing {
  readonly filters: Filters;
  /** How many entries at most, over as many pages as it takes. */
  readonly limit: number;
}

/** What one command line asks for, checked as far as that is possible without the app. */
export type Action =
  | { kind: 'webhook-register'; tenant: string; url: string; confirm: boolean }
  | { kind: 'webhook-status'; tenant: string | undefined }
  | ({ kind: 'notifications-list' } & Listing)
  | { kind: 'notifications-show'; id: string; body: boolean }
  | ({ kind: 'quarantine-list' } & Listing)
  | { kind: 'quarantine-show'; id: string; body: boolean }
  | { kind: 'quarantine-reprocess'; id: string }
  | { kind: 'quarantine-discard'; id: string; note: string }
  | { kind: 'order-erase'; tenant: string; orderNumber: string; confirm: boolean }
  | { kind: 'dead-letters-list'; app: Consumer | undefined; limit: number }
  | { kind: 'dead-letter-show'; app: Consumer; id: string; body: boolean }
  | { kind: 'dead-letter-redrive'; app: Consumer; id: string };
