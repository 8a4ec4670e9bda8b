import { describe, expect, it } from '@jest/globals';
import { didYouMean, nearWord } from './near-word.ts';

const WORDS = ['webhook-lose', 'webhook-double', 'delay', 'refuse', 'limit', 'after'];

describe('the near word', () => {
  it.each([
    ['webhook-loose', 'webhook-lose'],
    ['Webhook-Lose', 'webhook-lose'],
    ['dealy', 'delay'],
    ['refus', 'refuse'],
    ['limt', 'limit'],
    ['webhook-doub', 'webhook-double'],
    ['nothing', undefined],
    ['x', undefined],
    ['kind', undefined],
  ])('of %s is %s', (word, near) => {
    expect(nearWord(word, WORDS)).toBe(near);
  });

  it('is asked for in a sentence, or not at all', () => {
    expect(didYouMean('dealy', WORDS)).toBe('; did you mean `delay`?');
    expect(didYouMean('nothing', WORDS)).toBe('');
  });
});
