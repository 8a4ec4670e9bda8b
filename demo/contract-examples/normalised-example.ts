// Replaces the values of a record that differ between two runs of the same play.

/** Ids that the sandbox gives to every installation repeat one digit and stay. */
const RANDOM_ID = /\b(?!([0-9a-f])\1{7}-)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const HASH = /\b[0-9a-f]{32,64}\b/g;
/** Start and end of a scheduled delivery, which are full hours. */
const WINDOW = /("(?:windowStart|windowEnd|scheduledDate)":\s*")20\d\d-\d\d-\d\d(T\d\d:00:00)/g;
/** Any other time since 2020, so that a shopper's birth date stays; the days of examples stay, too. */
const TIME = /\b20(?!26-01-16T)[2-9]\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(Z|[+-]\d\d:\d\d)?/g;
const LOCAL_SERVER = /\bhttp:\/\/(?:127\.0\.0\.1|localhost):\d+/g;
const WEEKDAY = /("scheduledDayOfWeek":\s*)\d/g;

/** Day of every example, and the next day, a Friday, for which deliveries are scheduled. */
const DAY = '2026-01-15';
const NEXT_DAY = '2026-01-16';
const FRIDAY = 5;

/**
 * JSON text of a record: ids and hashes are numbered in the order of their appearance, all times are one time,
 * except that delivery windows keep their hours, and the sandbox has one host.
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

/** Numbers a text by the order of its first appearance, from 1. */
function numbered(name: (place: number, text: string) => string): (text: string) => string {
  const places = new Map<string, number>();
  return (text) => {
    const place = places.get(text) ?? places.size + 1;
    places.set(text, place);
    return name(place, text);
  };
}
