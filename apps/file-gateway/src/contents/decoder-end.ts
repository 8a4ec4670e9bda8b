/**
 * Why a decoder ended while it had a content: its own limit of memory, the app's limit of time, or anything else,
 * such as a kill from outside, which says nothing about the content.
 */
export type EndCause = 'memory' | 'time' | 'other';

/** Ends by one of its own limits after which the content counts as the cause; the second is that of a fresh process. */
const ENDS_BY_CONTENT = 2;
/** Ends of any cause after which no verdict is possible for now. */
const MOST_ENDS = 5;

/** Words of libvips, libjpeg, libpng, GLib, C++ and V8 when the limit of memory refuses them more. */
const OUT_OF_MEMORY = /out of memory|insufficient memory|failed to allocate|bad_alloc|allocation failed/i;

/** True for an error that says something about the machine, and nothing about the content. */
export function isOfMachine(message: string): boolean {
  return isOutOfMemory(message) || /creating thread|temporarily unavailable|no space left/i.test(message);
}

export function isOutOfMemory(message: string): boolean {
  return OUT_OF_MEMORY.test(message);
}

/** Decides by the causes of all ends so far, the newest last: the content is its own cause, again, or later. */
export function afterEnds(causes: readonly EndCause[]): 'memory' | 'time' | 'again' | 'later' {
  const newest = causes.at(-1);
  const alike = causes.filter((cause) => cause === newest).length;
  if (newest !== undefined && newest !== 'other' && alike >= ENDS_BY_CONTENT) return newest;
  return causes.length < MOST_ENDS ? 'again' : 'later';
}
