/** Deliveries of one hour with one outcome, as webhook-ingest counts them. */
export interface DeliveryHour {
  readonly hour: string;
  readonly outcome: 'stored' | 'repeated' | 'quarantined' | 'spooled' | 'too-large' | 'not-stored';
  readonly deliveries: number;
}

/** Webhooks that arrived within an hour. */
export interface Hour {
  readonly begin: Date;
  readonly arrived: number;
  /** Those that had come before. */
  readonly repeated: number;
  /** Those that were not understood, or not answered 200. */
  readonly failed: number;
}

export const SHOWN_HOURS = 24;
const HOUR_MS = 3_600_000;

/** Each of the last hours up to the present one, also those without a delivery; the oldest first. */
export function lastHours(counted: readonly DeliveryHour[], now: Date): readonly Hour[] {
  const present = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
  return Array.from({ length: SHOWN_HOURS }, (_, index) => {
    const begin = new Date(present - (SHOWN_HOURS - 1 - index) * HOUR_MS);
    const its = counted.filter(({ hour }) => new Date(hour).getTime() === begin.getTime());
    const sum = (of: (outcome: DeliveryHour['outcome']) => boolean) =>
      its.reduce((all, { outcome, deliveries }) => (of(outcome) ? all + deliveries : all), 0);
    return {
      begin,
      arrived: sum(() => true),
      repeated: sum((outcome) => outcome === 'repeated'),
      failed: sum(isFailed),
    };
  });
}

function isFailed(outcome: DeliveryHour['outcome']): boolean {
  return outcome === 'quarantined' || outcome === 'too-large' || outcome === 'not-stored';
}
