import type { ShownInvoice } from '@gondola/platform-client/read-answers';
import { isPureDate, offsetMoment, platformMoment, ticksToUtcText } from '@gondola/shared/time';
import { isSameMoney, toCents } from '@gondola/shared/units-and-money/money';

/** An invoice that a command registers: the parts that the platform is sent. */
export interface RegisteredInvoice {
  readonly number: string;
  /** UTC with Z. */
  readonly issuedAt: string;
  /** Decimal text. */
  readonly value: string;
}

/** An invoice that an earlier command of the order has sent, whatever became of it; a null part is unknown. */
export interface SentInvoice {
  readonly invoice: RegisteredInvoice | null;
  /** True if the platform has had it. */
  readonly isRegistered: boolean;
  /** Time of its last call that may still be carried out, RFC 3339; null for none. */
  readonly lostAt: string | null;
}

/** `unnamed`: the shop shows a registered invoice, but not which. */
export type Shown = 'none' | 'this' | 'other' | 'unnamed';

/**
 * Compares the invoices that a payload shows with one. It is this one by its number; a date or value that is shown
 * beside it must agree. A registration without a number may be any.
 */
export function whichInvoice(shown: readonly ShownInvoice[], wanted: RegisteredInvoice | null): Shown {
  if (shown.length === 0) return 'none';
  const verdicts = shown.map((each) => compared(each, wanted));
  return verdicts.find((verdict) => verdict === 'this') ?? verdicts.find((each) => each === 'unnamed') ?? 'other';
}

export function isSameInvoice(one: RegisteredInvoice | null, other: RegisteredInvoice | null): boolean {
  if (one === null || other === null) return false;
  return (
    isSameNumber(one.number, other.number) && one.issuedAt === other.issuedAt && isSameMoney(one.value, other.value)
  );
}

function compared({ number, issuedAt, value }: ShownInvoice, wanted: RegisteredInvoice | null): Shown {
  if (wanted === null) return number === null ? 'unnamed' : 'other';
  if (number !== null && !isSameNumber(number, wanted.number)) return 'other';
  if (issuedAt !== null && isSameDate(issuedAt, wanted.issuedAt) === false) return 'other';
  if (value !== null && !isSameValue(value, wanted.value)) return 'other';
  return number === null ? 'unnamed' : 'this';
}

/** Leading zeros do not count, nor blanks around it. */
export function isSameNumber(one: string, other: string): boolean {
  return plain(one) === plain(other);
}

function plain(number: string): string {
  return number.trim().replace(/^0+(?=\d)/, '');
}

/** The platform registers cents, and shows an order's money in currency units. */
export function isSameValue(shown: string, wanted: string): boolean {
  const cents = toCents(wanted);
  return isSameMoney(shown, wanted) || (cents.ok && isSameMoney(shown, cents.cents));
}

const SECOND = 10_000_000n;

/** To the second, in local time or UTC if no zone is shown; null if the text is no date. */
function isSameDate(shown: string, wanted: string): boolean | null {
  const ticks = offsetMoment(wanted)?.ticks ?? null;
  const readings = [platformMoment(shown), offsetMoment(`${shown}Z`)].flatMap((moment) => moment?.ticks ?? []);
  if (ticks === null) return null;
  if (isPureDate(shown)) return [0n, 3n].some((hours) => dayOf(ticks - hours * 3600n * SECOND) === shown);
  if (readings.length === 0) return null;
  return readings.some((each) => each / SECOND === ticks / SECOND);
}

function dayOf(ticks: bigint): string {
  return ticksToUtcText(ticks).slice(0, 10);
}
