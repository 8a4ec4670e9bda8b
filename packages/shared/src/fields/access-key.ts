import { offsetMoment, ticksToUtcText } from '../time.ts';
import { isAccessKey } from './trade-codes.ts';

/** An invoice according to its access key; numbers without leading zeros. */
export interface KeyedInvoice {
  /** Month of issue, `YYMM`. */
  readonly month: string;
  readonly model: string;
  readonly series: string;
  readonly number: string;
}

/**
 * The parts of an NF-e's access key that an invoice repeats; null if the text is no key. In 44 characters: UF 2, year
 * and month 4, CNPJ 14, model 2, series 3, number 9, kind of emission 1, code 8, check digit 1.
 */
export function keyedInvoice(key: unknown): KeyedInvoice | null {
  if (!isAccessKey(key)) return null;
  return {
    month: key.slice(2, 6),
    model: withoutZeros(key.slice(20, 22)),
    series: withoutZeros(key.slice(22, 25)),
    number: withoutZeros(key.slice(25, 34)),
  };
}

/**
 * True if a text holds this number: with leading zeros, with points between thousands as a DANFE prints it, or beside
 * other words (`NF-e 000.004.501`, `4501/1`).
 */
export function holdsNumber(text: string, number: string): boolean {
  const joined = text.replaceAll(/(?<=\d)\.(?=\d)/g, '');
  return (joined.match(/\d+/g) ?? []).some((digits) => withoutZeros(digits) === number);
}

/** True if a text has digits, so that it can be compared with a number. */
export function hasDigits(text: string): boolean {
  return /\d/.test(text);
}

/** A minute in units of 100 ns. */
const MINUTE = 600_000_000n;

/** Minutes behind UTC of Brazil's easternmost and westernmost zones (Noronha, Acre). */
const ZONES_OF_BRAZIL = [2 * 60, 5 * 60] as const;

/**
 * True unless an invoice was issued in another month, `YYMM`. The key has the issuer's local month, and the ERP's time
 * may have any offset: at a month's end, each month counts that the moment had somewhere in Brazil, or that its text
 * has.
 */
export function isIssuedIn(issuedAt: unknown, month: string): boolean {
  const moment = offsetMoment(issuedAt);
  if (moment === null) return true;
  const local = ZONES_OF_BRAZIL.map((minutes) => monthOf(ticksToUtcText(moment.ticks - BigInt(minutes) * MINUTE)));
  return [...local, monthOf(moment.text)].includes(month);
}

function monthOf(text: string): string {
  return text.slice(2, 4) + text.slice(5, 7);
}

function withoutZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '');
}
