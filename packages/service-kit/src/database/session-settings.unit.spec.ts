import { describe, expect, it } from '@jest/globals';
import { deviatingSettings, sessionSettings } from './session-settings.ts';

const asked = sessionSettings('shelves', 5_000);
const asAsked = Object.entries(asked).map(([name, setting]) => ({ name, setting }));

describe('deviatingSettings', () => {
  it('finds nothing in a session that has all that was asked for', () => {
    expect(deviatingSettings(asked, asAsked)).toEqual([]);
  });

  it.each(Object.keys(asked))('finds another %s', (changed) => {
    const rows = asAsked.map(({ name, setting }) => ({ name, setting: name === changed ? 'another' : setting }));
    expect(deviatingSettings(asked, rows)).toEqual([changed]);
  });

  it('asks an older server for no setting that it does not know', () => {
    const older = asAsked.filter(({ name }) => name !== 'transaction_timeout');
    expect(deviatingSettings(asked, older)).toEqual([]);
  });
});
