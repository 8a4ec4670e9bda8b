import { BadRequestException } from '@nestjs/common';

/** Entries of a log in one answer; a reader goes on after the last `seq` it has. */
export const MAX_ENTRIES = 5_000;

/** `?after=N` of a log; without it, from the beginning. */
export function afterOf(text: string | undefined): number {
  if (text === undefined) return 0;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new BadRequestException({ code: 'AFTER', message: 'after must be a whole number' });
}
