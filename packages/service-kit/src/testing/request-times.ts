/** Times that every route reads: offsets, digits of a second, and the ends of the calendar. */
export const POSSIBLE_TIMES: readonly string[] = [
  '2026-11-26T08:00:00Z',
  '2026-11-26T08:00:00-03:00',
  '2026-11-26T08:00:00+14:00',
  '2026-11-26T08:00:00-14:00',
  '2026-11-26T08:00:00+16:00',
  '2026-11-26T08:00:00.123456789012Z',
  '2028-02-29T23:59:59.9Z',
  '2026-11-26T08:00Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
];

/** Texts that every route refuses with 400: days and hours that no calendar has, and times without an offset. */
export const IMPOSSIBLE_TIMES: readonly string[] = [
  '2026-11-31T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2027-02-29T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-11-26T24:00:00Z',
  '2026-11-26T23:60:00Z',
  '2026-11-26T08:00:00',
  '2026-11-26',
  '2026-11-26T08:00:00+24:00',
  '0001-01-01T00:00:00+14:00',
  '9999-12-31T23:59:59-14:00',
  '+010000-01-01T00:00:00Z',
  '1764144000000',
  'today',
];
