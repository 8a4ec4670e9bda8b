// What of a record differs between two runs of the same play, and what stands in its place in an example.

/** Ids that the sandbox gives to every installation repeat one digit, and stay. */
const RANDOM_ID = /\b(?!([0-9a-f])\1{7}-)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const HASH = /\b[0-9a-f]{32,64}\b/g;
/** The edges of a scheduled delivery, which stand on full hours. */
const WINDOW = /("(?:windowStart|windowEnd|scheduledDate)":\s*")20\d\d-\d\d-\d\d(T\d\d:00:00)/g;
/** Any other time since 2020, so that the birth date of a shopper stays; the days of examples stay, too. */
const TIME = /\b20(?!26-01-16T)[2-9]\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(Z|[+-]\d\d:\d\d)?/g;
const LOCAL_SERVER = /\bhttp:\/\/(?:127\.0\.0\.1|localhost):\d+/g;
const WEEKDAY = /("scheduledDayOfWeek":\s*)\d/g;

/** The day of every example, and its next day, a Friday, on which deliveries are scheduled. */
const DAY = '2026-01-15';
const NEXT_DAY = '2026-01-16';
const FRIDAY = 5;

/**
 * The JSON text of a record with ids and hashes numbered in the order in which they stand there, one time for each
 * moment of the run but the windows of deliveries, which keep their hours, and one host for the sandbox.
 */
export function normalised(text: string): string {
  return text
    .replaceAll(
      RANDOM_ID,
      numbered((place) => `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`),
    )
    .replaceAll(
      HASH,
      numbered((place, { length }) => place.toString(16).padStart(length, '0')),
    )
    .replaceAll(WINDOW, `$1${NEXT_DAY}$2`)
    .replaceAll(TIME, (_time, zone = '') => (zone === 'Z' ? `${DAY}T13:00:00.000Z` : `${DAY}T10:00:00${zone}`))
    .replaceAll(LOCAL_SERVER, 'https://files.example.com')
    .replaceAll(WEEKDAY, `$1${FRIDAY}`);
}

/** Gives a text the place at which it was seen first, from 1. */
function numbered(name: (place: number, text: string) => string): (text: string) => string {
  const places = new Map<string, number>();
  return (text) => {
    const place = places.get(text) ?? places.size + 1;
    places.set(text, place);
    return name(place, text);
  };
}
