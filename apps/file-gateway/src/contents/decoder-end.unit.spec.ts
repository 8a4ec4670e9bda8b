import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { afterEnds, type EndCause, isOfMachine, isOutOfMemory } from './decoder-end.ts';

const CAUSES = ['memory', 'time', 'other'] as const satisfies readonly EndCause[];

describe('the ends of decoders', () => {
  it.each<[readonly EndCause[], string]>([
    [['memory'], 'again'],
    [['memory', 'memory'], 'memory'],
    [['time', 'other', 'time'], 'time'],
    [['memory', 'time'], 'again'],
    [['other', 'other', 'other', 'other'], 'again'],
    [['other', 'other', 'other', 'other', 'other'], 'later'],
  ])('%j: %s (rule 32)', (causes, expected) => {
    expect(afterEnds(causes)).toBe(expected);
  });

  it('speak against a content only if its own limits caused two of them, and come to an end (rule 32)', () => {
    const ends = fc.array(fc.constantFrom(...CAUSES), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(ends, (causes) => {
        const next = afterEnds(causes);
        const own = causes.filter((cause) => cause === next).length;
        expect(next === 'again' || next === 'later' || own >= 2).toBe(true);
        expect(causes.length === 5 && next === 'again').toBe(false);
      }),
    );
  });

  it.each([
    ['vips_tracked: out of memory -- size == 381MB', true, true],
    ['VipsJpeg: Insufficient memory (case 4)', true, true],
    ['GLib-ERROR **: ../glib/gmem.c:139: failed to allocate 200000000 bytes', true, true],
    ["terminate called after throwing an instance of 'std::bad_alloc'", true, true],
    ['FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory', true, true],
    ['glib: Error creating thread: Resource temporarily unavailable', false, true],
    ['unable to write to file: No space left on device', false, true],
    ['pngload_buffer: libspng read error', false, false],
    ['VipsJpeg: premature end of JPEG image', false, false],
    ['', false, false],
  ])('are told apart by what a decoder wrote: %s (rule 32)', (message, ofMemory, ofMachine) => {
    expect([isOutOfMemory(message), isOfMachine(message)]).toEqual([ofMemory, ofMachine]);
  });
});
