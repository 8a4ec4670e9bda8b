import { platformMoment } from '@gondola/shared/time';
import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from './api-docs.ts';
import { IsIn, IsOptional, ValidateBy } from 'class-validator';

/** An optional query parameter: any text, or one of `choices`. For DTO classes behind `RequestPipe`. */
export function QueryParameter(description: string, choices?: readonly string[]): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ description, ...(choices === undefined ? { type: String } : { enum: choices }) }),
    IsOptional(),
    ...(choices === undefined ? [] : [IsIn(choices, { message: `$property is one of: ${choices.join(', ')}` })]),
  );
}

/** An optional query parameter of a form; `form` is a pattern as OpenAPI has it, and `message` describes it. */
export function PatternParameter(description: string, form: string, message: string): PropertyDecorator {
  const pattern = new RegExp(form);
  return applyDecorators(
    ApiPropertyOptional({ type: String, pattern: form, description }),
    IsOptional(),
    Must((text) => pattern.test(String(text)), message),
  );
}

interface WholeNumberLimits {
  readonly minimum: number;
  readonly maximum: number;
  /** Value in place of an absent one, for the document. */
  readonly default?: number;
}

/** An optional query parameter of digits within limits; its value stays a text. */
export function WholeNumberParameter(description: string, limits: WholeNumberLimits): PropertyDecorator {
  const { minimum, maximum } = limits;
  const isWithin = (text: unknown) => {
    const isDigits = /^\d{1,16}$/.test(String(text));
    return isDigits && Number(text) >= minimum && Number(text) <= maximum;
  };
  return applyDecorators(
    ApiPropertyOptional({ type: 'integer', ...limits, description }),
    IsOptional(),
    Must(isWithin, `$property is a whole number from ${minimum} to ${maximum}`),
  );
}

const TIMES = new WeakMap<object, Set<string>>();
const HAS_OFFSET = /(?:Z|[+-]\d{2}:?\d{2})\s*$/i;
const TICKS_PER_MS = 10_000n;
/** Years that both sides of a comparison can write with four digits. */
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * An optional time of a query or a JSON body, with any offset. `RequestPipe` gives it to the route in UTC, as
 * `readTime` does: no route reads a time itself.
 */
export function TimeParameter(description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: String, format: 'date-time', description }),
    Must(
      isTimeOrAbsent,
      '$property is a time of the calendar with its offset, such as 2026-11-26T08:00:00Z or 2026-11-26T05:00:00-03:00; in an address, + is written %2B',
    ),
    rememberTime,
  );
}

function rememberTime(target: object, property: string | symbol): void {
  TIMES.set(target, (TIMES.get(target) ?? new Set()).add(String(property)));
}

function isTimeOrAbsent(value: unknown): boolean {
  return value === undefined || readTime(value) !== null;
}

/** The time of a request in UTC, in whole milliseconds, rounded up: what is stored has no more. Null: it is none. */
export function readTime(value: unknown): string | null {
  if (typeof value !== 'string' || !HAS_OFFSET.test(value)) return null;
  const moment = platformMoment(value);
  if (moment === null) return null;
  const whole = moment.ticks / TICKS_PER_MS;
  const ms = Number(moment.ticks > whole * TICKS_PER_MS ? whole + 1n : whole);
  return ms < FIRST_MS || ms > LAST_MS ? null : new Date(ms).toISOString();
}

/** Names of the times of a DTO class and of its base classes. */
export function timesOf(dto: object): string[] {
  const prototype = Object.getPrototypeOf(dto) as object | null;
  return prototype === null ? [] : [...(TIMES.get(prototype) ?? []), ...timesOf(prototype)];
}

/** True for a text within limits, in characters as OpenAPI counts them: an emoji is one. */
export function isTextOf(
  value: unknown,
  { most, least = 0 }: { readonly most: number; readonly least?: number },
): boolean {
  if (typeof value !== 'string') return false;
  const { length } = Array.from(value);
  return length >= least && length <= most;
}

/** Longest note of an operator, in characters. */
export const MAX_NOTE_LENGTH = 500;

/** True for an operator's note: not blank, and within its length. */
export function isNote(value: unknown): boolean {
  return isTextOf(value, { most: MAX_NOTE_LENGTH }) && String(value).trim() !== '';
}

/** A field of a request that must pass a check; `message` describes the expected value. */
export function Must(check: (value: unknown) => boolean, message: string): PropertyDecorator {
  return ValidateBy({ name: 'must', validator: { validate: check } }, { message });
}
