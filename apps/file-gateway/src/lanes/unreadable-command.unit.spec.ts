import { sized } from '@gondola/local-stack/testing/sized';
import { FILE_TYPES } from '@gondola/shared/fields/file-types';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { type FilesStart, publishing, SimulatedFiles } from '../../test/support/simulated-files.ts';
import type { Fate } from '../../test/support/simulated-platform.ts';
import { imageOf } from '../../test/support/uploads.ts';
import type { FileWork } from '../commands/file-command.ts';

const SKU = { externalReference: '4711-1', fileType: FILE_TYPES.SKU } as const;
const PDF = { source: { uploadId: 'u-pdf' }, field: 'content.uploadId' };
const UPLOAD: FileWork = { kind: 'upload-pdf', pdf: PDF, parentCommandId: 'p', orderNumber: 1, orderId: 'order-1' };
const UNDONE = { uploaded: { images: [imageOf(1), imageOf(2)], urls: ['a', 'b'] }, files: ['a', 'b', 'old'] };
const PICTURES = [1, 2].map((order) => ({ order, content: `sha-${order}` }));
const PUBLISH = publishing(PICTURES, false);

/** Each command that changes files, with the files before it. */
const COMMANDS: ReadonlyArray<readonly [FileWork, FilesStart]> = [
  [UPLOAD, {}],
  [UPLOAD, { invoice: ['i'], invoiceSha256: 'sha-other' }],
  [UPLOAD, { invoice: ['i'], keepsAddress: true }],
  [UPLOAD, { invoice: ['i'], invoiceSha256: 'sha-pdf' }],
  [{ kind: 'check-pdf', pdf: PDF, parentCommandId: 'p' }, {}],
  [{ kind: 'read-invoice', orderNumber: 1 }, {}],
  [{ ...SKU, kind: 'list-files' }, {}],
  [PUBLISH, { files: ['old'] }],
  [PUBLISH, { files: ['old'], perRequest: 1 }],
  [publishing(PICTURES, true), { files: ['old'] }],
  [{ kind: 'undo-images', skuExternalReference: '4711-1', undoes: 'c-1' }, UNDONE],
  [{ ...SKU, kind: 'remove-files', urls: ['a'], storageIds: [] }, { files: ['a', 'b'] }],
  [{ kind: 'remove-all-files', entityId: 'e' }, { files: ['a'] }],
];

const FATES: readonly Fate[] = [
  'seen',
  'silence',
  'refusal',
  'refusal of its entity',
  '400',
  'lost answer, applied',
  'process ended, applied',
  'process ended, not applied',
  '500',
  'time-out',
  '429',
];

async function outcomeFrom(unreadableFrom: number): Promise<string | undefined> {
  return (await new SimulatedFiles({ unreadableFrom }).play(UPLOAD, { calls: ['seen'] })).end?.outcome;
}

describe('a file command whose record becomes unreadable at any step of its course', () => {
  it('ends once, and never as invalid or unchanged if a call may have arrived for it (guarantee 3)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...COMMANDS),
        fc.array(fc.constantFrom(...FATES), { minLength: 1, maxLength: 4 }),
        fc.nat(12),
        async ([asked, start], fates, unreadableFrom) => {
          const course = await new SimulatedFiles({ ...start, unreadableFrom }).play(asked, { calls: fates });
          const { end, calls } = course;
          const arrived = Array.from({ length: calls }, (_, call) => fates[Math.min(call, fates.length - 1)]);
          const isSent = arrived.some((fate) => fate !== '429');
          const isRefusable = arrived.some((fate) => fate === '400' || fate?.startsWith('refusal'));
          expect({
            isOpen: end === null,
            isDenied: isSent && (end?.outcome === 'invalid' || end?.outcome === 'unchanged' || course.attempts === 0),
            isFalselyRefused: end?.outcome === 'refused' && !isRefusable,
          }).toEqual({ isOpen: false, isDenied: false, isFalselyRefused: false });
        },
      ),
      { numRuns: sized(60, 3_000) },
    );
  });

  it('ends as applied if its PDF was seen, and as invalid if nothing was sent (guarantee 3)', async () => {
    const outcomes = await Promise.all([0, 1, 2, 3, 4, 5, 6].map(outcomeFrom));
    expect(new Set(outcomes)).toEqual(new Set(['invalid', 'unconfirmed', 'applied']));
    expect(outcomes[0]).toBe('invalid');
    expect(outcomes.at(-1)).toBe('applied');
  });
});
