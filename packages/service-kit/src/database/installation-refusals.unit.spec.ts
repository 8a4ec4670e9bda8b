import { describe, expect, it } from '@jest/globals';
import { classifyDatabaseError } from './database-errors.ts';
import { serverRefusal } from './installation-refusals.ts';

const URL_OF_SHOP = 'postgres://gondola:canary@db.example.com/shop';

describe('serverRefusal', () => {
  it.each([
    [140_000, '14.0'],
    [180_004, '18.4'],
    [190_000, '19beta1'],
  ])('accepts server_version_num %i', (number, version) => {
    expect(serverRefusal(URL_OF_SHOP, { number, version, encoding: 'UTF8' })).toBeNull();
  });

  it.each([
    [{ number: 130_023, version: '13.23', encoding: 'UTF8' }, /is version 13\.23, and the least is 14: upgrade it/],
    [{ number: 90_624, version: '9.6.24', encoding: 'UTF8' }, /is version 9\.6\.24, and the least is 14: upgrade it/],
    [{ number: 150_000, version: '15.0', encoding: 'LATIN1' }, /has the encoding LATIN1, .+ENCODING 'UTF8'/],
  ])('refuses %j in one sentence, without a secret, and no wait helps', (facts, sentence) => {
    const refusal = serverRefusal(URL_OF_SHOP, facts);
    expect(refusal?.message).toMatch(/^DATABASE_URL: .+PostgreSQL \(db\.example\.com:5432\).+ \/ .+$/);
    expect(refusal?.message).toMatch(sentence);
    expect(refusal?.message).not.toContain('canary');
    expect(classifyDatabaseError(refusal)).toBe('bug');
  });
});
