import { describe, expect, it } from '@jest/globals';
import { attemptOf } from '../../test/support/uploads.ts';
import type { HeldUpload } from '../uploads/held-content.ts';
import { addressesOf, knownAfter, seenOf } from './pdf-progress.ts';

const pdf: HeldUpload = { uploadId: 'u-1', sha256: 'sha-b', size: 10, mediaType: 'application/pdf' };
const shown = (...urls: string[]) => ({ urls });
const accepted = attemptOf({ kind: 'accepted', operationId: null });
const refused = attemptOf({ kind: 'refused', status: 400, message: '' });
const lost = attemptOf({ kind: 'unknown', cause: 'timeout' });

describe("an order's file before a PDF is sent", () => {
  it('is the same one only if Gondola attached that content (rule 15)', () => {
    expect(seenOf({ pdf, attempts: [] }, shown('a'), 'sha-b')).toBe('all');
    expect(seenOf({ pdf, attempts: [] }, shown('a'), 'sha-a')).toBe('none');
    expect(seenOf({ pdf, attempts: [] }, shown('a'), null)).toBe('none');
    expect(seenOf({ pdf, attempts: [] }, null, 'sha-b')).toBe('none');
  });
});

describe("an order's file after a PDF was sent", () => {
  const attempts = [accepted];

  it('is the new one if none was there before, or another address shows it (rules 15, 16)', () => {
    expect(seenOf({ pdf, attempts }, shown('a'), null)).toBe('all');
    expect(seenOf({ pdf, attempts, before: null }, shown('a'), null)).toBe('all');
    expect(seenOf({ pdf, attempts, before: ['a'] }, shown('b'), null)).toBe('all');
    expect(seenOf({ pdf, attempts, before: ['a'] }, null, null)).toBe('none');
  });

  it('is unclear if it is shown as the one before, whatever its signature (rule 16)', () => {
    const before = addressesOf(shown('https://x/1.pdf?signature=1', 'https://x/0.pdf#a'));
    expect(seenOf({ pdf, attempts, before }, shown('https://x/0.pdf', 'https://x/1.pdf?signature=2'), null)).toBe(
      'unclear',
    );
    expect(seenOf({ pdf, attempts, before: [] }, shown(), 'sha-b')).toBe('unclear');
  });
});

describe('what is known of the attached content', () => {
  it('is its hash, as before, or nothing, by the outcome of the upload', () => {
    expect(knownAfter('applied', pdf, [accepted])).toBe('sha-b');
    expect(knownAfter('unchanged', pdf, [])).toBeUndefined();
    expect(knownAfter('refused', pdf, [refused])).toBeUndefined();
    expect(knownAfter('refused', pdf, [lost, refused])).toBeNull();
    expect(knownAfter('refused', pdf, [lost])).toBeNull();
    expect(knownAfter('unconfirmed', pdf, [accepted])).toBeNull();
  });
});
