import { Open } from './answer-fields.ts';

/** Most rows that are counted for a person. */
export const MOST_COUNTED = 10_000;

/** A number of rows, as far as they are counted. */
export class Counted {
  @Open({ type: 'integer', maximum: MOST_COUNTED })
  readonly count!: number;

  @Open({ description: `There are more than ${MOST_COUNTED}` })
  readonly isMore!: boolean;
}

/** Answer made from a count up to one more than the limit. */
export function counted(rows: number): Pick<Counted, 'count' | 'isMore'> {
  return { count: Math.min(rows, MOST_COUNTED), isMore: rows > MOST_COUNTED };
}

/** Rows that have something in common, with their age. */
export class CountedRows extends Counted {
  @Open()
  readonly oldestAt!: Date;

  @Open()
  readonly newestAt!: Date;
}
