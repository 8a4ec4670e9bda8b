import { FILE_TYPES } from '@gondola/shared/fields/file-types';
import type { Evidence, FinalOutcome } from '@gondola/shared/outcomes/outcomes';
import type { ReasonCode } from '@gondola/shared/outcomes/reason-codes';
import { sized } from '@gondola/local-stack/testing/sized';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { type FilesStart, type PlayedCommand, publishing, SimulatedFiles } from '../../test/support/simulated-files.ts';
import type { Course, Fate, ReadFate } from '../../test/support/simulated-platform.ts';
import { imageOf } from '../../test/support/uploads.ts';
import type { FileWork } from './file-command.ts';

/** Courses of a command that changes something: the fates of its calls and readings. */
const COURSES = {
  seen: { calls: ['seen'] },
  silence: { calls: ['silence'] },
  'refusal by event': { calls: ['refusal'] },
  'refusal of its entity': { calls: ['refusal of its entity'] },
  'refused answer': { calls: ['400'] },
  'lost answer, applied': { calls: ['lost answer, applied'] },
  'lost answer, not applied': { calls: ['time-out', 'seen'] },
  'process ended, applied': { calls: ['process ended, applied'] },
  'process ended, not applied': { calls: ['process ended, not applied', 'seen'] },
  '500s': { calls: ['500'] },
  'time-outs': { calls: ['time-out'] },
  '429s, then seen': { calls: ['429', '429', 'seen'] },
  'already so': { calls: ['seen'] },
  'reading refused before': { calls: ['seen'], reads: ['400'] },
  'reading refused afterwards': { calls: ['seen'], reads: ['shown', '400'] },
  'readings in vain before': { calls: ['seen'], reads: ['500'] },
  'readings in vain afterwards': { calls: ['seen'], reads: ['shown', '500'] },
} as const satisfies Readonly<Record<string, Course>>;

/** Courses of a command that only reads. */
const READ_COURSES = {
  shown: { calls: ['seen'] },
  'reading refused': { calls: ['seen'], reads: ['400'] },
  'readings in vain': { calls: ['seen'], reads: ['500'] },
  'readings in vain, then shown': { calls: ['seen'], reads: ['500', '500', 'shown'] },
} as const satisfies Readonly<Record<string, Course>>;

/**
 * Name of the course and the command's conclusion in it: outcome (`open`: it still waits), evidence, attempts,
 * reason.
 */
type End<Name> = [Name, FinalOutcome | 'open', Evidence | null, attempts: number, ReasonCode | null];
type Expected = End<string> extends [string, ...infer Rest] ? Rest : never;
type Ends = readonly End<keyof typeof COURSES>[];

/** Images are added to the existing ones, so an accepted request is never repeated. */
const ONE_REQUEST: Ends = [
  ['seen', 'applied', 'read-back', 1, null],
  ['silence', 'unconfirmed', 'none', 1, 'PLATFORM_SILENT'],
  ['refusal by event', 'refused', 'event', 1, 'PLATFORM_REFUSED'],
  ['refusal of its entity', 'refused', 'event', 1, 'PLATFORM_REFUSED'],
  ['refused answer', 'refused', 'none', 1, 'PLATFORM_REFUSED'],
  ['lost answer, applied', 'applied', 'read-back', 1, null],
  ['lost answer, not applied', 'applied', 'read-back', 2, null],
  ['process ended, applied', 'applied', 'read-back', 1, null],
  ['process ended, not applied', 'applied', 'read-back', 2, null],
  ['500s', 'unconfirmed', 'none', 3, 'PLATFORM_SILENT'],
  ['time-outs', 'unconfirmed', 'none', 3, 'PLATFORM_SILENT'],
  ['429s, then seen', 'applied', 'read-back', 1, null],
  ['already so', 'unchanged', 'already-in-state', 0, null],
  ['reading refused before', 'refused', 'none', 0, 'PLATFORM_REFUSED'],
  ['reading refused afterwards', 'unconfirmed', 'none', 1, 'PLATFORM_SILENT'],
  ['readings in vain before', 'open', null, 0, null],
  ['readings in vain afterwards', 'unconfirmed', 'none', 1, 'PLATFORM_SILENT'],
];

/**
 * With two requests, or a request and the removal of replaced images, the second is sent once the first is seen.
 */
const TWO_REQUESTS = differing(ONE_REQUEST, [
  ['seen', 'applied', 'read-back', 2, null],
  ['lost answer, applied', 'applied', 'read-back', 2, null],
  ['lost answer, not applied', 'applied', 'read-back', 3, null],
  ['process ended, applied', 'applied', 'read-back', 2, null],
  ['process ended, not applied', 'applied', 'read-back', 3, null],
  ['429s, then seen', 'applied', 'read-back', 2, null],
]);

/** A removal by URL, or a file that replaces only itself, is repeated after a silence. */
const REPEATABLE = differing(ONE_REQUEST, [['silence', 'unconfirmed', 'none', 3, 'PLATFORM_SILENT']]);

/** Replaces another file: after a silence nothing shows which of the two is attached. */
const REPLACING_PDF = differing(ONE_REQUEST, [['silence', 'applied', 'presumed', 1, null]]);

/** Has the address of the previous file: nothing ever shows which of the two is attached. */
const SAME_ADDRESS = differing(REPLACING_PDF, [
  ['seen', 'applied', 'presumed', 1, null],
  ['lost answer, applied', 'unconfirmed', 'none', 3, 'PLATFORM_SILENT'],
  ['lost answer, not applied', 'applied', 'presumed', 2, null],
  ['process ended, applied', 'unconfirmed', 'none', 3, 'PLATFORM_SILENT'],
  ['process ended, not applied', 'applied', 'presumed', 2, null],
  ['429s, then seen', 'applied', 'presumed', 1, null],
]);

/** The list shows no ids, so nothing shows whether a file was gone before. */
const BY_ID = differing(REPLACING_PDF, [['already so', 'applied', 'presumed', 1, null]]);

/** No route lists the files of an entity, so nothing is read. */
const REMOVE_ALL = differing(SAME_ADDRESS, [
  ['already so', 'applied', 'presumed', 1, null],
  ['reading refused before', 'applied', 'presumed', 1, null],
  ['reading refused afterwards', 'applied', 'presumed', 1, null],
  ['readings in vain before', 'applied', 'presumed', 1, null],
  ['readings in vain afterwards', 'applied', 'presumed', 1, null],
]);

const READ: readonly End<keyof typeof READ_COURSES>[] = [
  ['shown', 'applied', 'read-back', 0, null],
  ['reading refused', 'refused', 'none', 0, 'PLATFORM_REFUSED'],
  ['readings in vain', 'refused', 'none', 0, 'PLATFORM_UNREADABLE'],
  ['readings in vain, then shown', 'applied', 'read-back', 0, null],
];

/** Readings that fail for seconds or for days, with or without an end. */
const anyReads: fc.Arbitrary<ReadFate[]> = fc
  .array(fc.tuple(fc.constantFrom<ReadFate>('500', '429', 'shown', '400'), fc.constantFrom(1, 2, 40)), { maxLength: 4 })
  .chain((runs) =>
    fc
      .constantFrom<ReadFate>('shown', '500')
      .map((last) => [...runs.flatMap(([fate, count]) => Array<ReadFate>(count).fill(fate)), last]),
  );

interface Case {
  readonly what: string;
  readonly asked: FileWork;
  readonly ends: Ends;
  readonly before: FilesStart;
  /** State in which the files are already as the command requests. */
  readonly alreadySo: FilesStart;
  /** True if the files are as the command requests; absent if nothing shows that. */
  readonly isSo?: (course: PlayedCommand) => boolean;
}

const SKU = { externalReference: '4711-1', fileType: FILE_TYPES.SKU } as const;
const PDF = { source: { uploadId: 'u-pdf' }, field: 'content.uploadId' };
const CHECK: FileWork = { kind: 'check-pdf', pdf: PDF, parentCommandId: 'p' };
const UPLOAD: FileWork = { ...CHECK, kind: 'upload-pdf', orderNumber: 1, orderId: 'order-1' };
const UNDO: FileWork = { kind: 'undo-images', skuExternalReference: '4711-1', undoes: 'c-1' };
const BY_URL: FileWork = { ...SKU, kind: 'remove-files', urls: ['a'], storageIds: [] };
const OLD = { files: ['old'] };
const ONE_THERE = there('a');
const THREE_THERE = there('a', 'b', 'c');
const SFTP = { isSftp: true };
const SPLIT = { perRequest: 2 };
const UNDONE = { uploaded: { images: [imageOf(1), imageOf(2)], urls: ['a', 'b'] } };
const ATTACHED = { invoice: ['i'], invoiceSha256: 'sha-pdf' };

const one = publish(1, false);
const other = publish(1, true);
const three = publish(3, false);
const shows = (course: PlayedCommand, { count, others }: { readonly count: number; readonly others: number }) =>
  ordersOf(course).length === count && course.platform.urls.length === count + others;
const added = (count: number) => (course: PlayedCommand) => shows(course, { count, others: 1 });
const replaced = (count: number) => (course: PlayedCommand) => shows(course, { count, others: 0 });
const isAttached = ({ platform }: PlayedCommand) => platform.invoice?.[0]?.startsWith('invoice-') === true;
const isGone =
  (...urls: string[]) =>
  (course: PlayedCommand) =>
    urls.every((url) => !course.platform.urls.includes(url));

const CASES: readonly Case[] = [
  { what: 'PublishSkuImages', asked: one, ends: ONE_REQUEST, before: OLD, alreadySo: ONE_THERE, isSo: added(1) },
  {
    what: 'PublishSkuImages of two requests',
    asked: three,
    ends: TWO_REQUESTS,
    before: { ...OLD, ...SPLIT },
    alreadySo: { ...THREE_THERE, ...SPLIT },
    isSo: added(3),
  },
  {
    what: 'PublishSkuImages with replace',
    asked: other,
    ends: TWO_REQUESTS,
    before: OLD,
    alreadySo: ONE_THERE,
    isSo: replaced(1),
  },
  {
    what: 'PublishSkuImages by SFTP',
    asked: one,
    ends: ONE_REQUEST,
    before: { ...OLD, ...SFTP },
    alreadySo: { ...ONE_THERE, ...SFTP },
    isSo: added(1),
  },
  {
    what: 'PublishSkuImages by SFTP, of two requests',
    asked: three,
    ends: TWO_REQUESTS,
    before: { ...OLD, ...SFTP, ...SPLIT },
    alreadySo: { ...THREE_THERE, ...SFTP, ...SPLIT },
    isSo: added(3),
  },
  {
    what: 'PublishSkuImages by SFTP, with replace',
    asked: other,
    ends: TWO_REQUESTS,
    before: { ...OLD, ...SFTP },
    alreadySo: { ...ONE_THERE, ...SFTP },
    isSo: replaced(1),
  },
  {
    what: 'UndoImageUpload',
    asked: UNDO,
    ends: ONE_REQUEST,
    before: { ...UNDONE, files: ['a', 'b', 'old'] },
    alreadySo: { ...UNDONE, ...OLD },
    isSo: isGone('a', 'b'),
  },
  {
    what: 'UndoImageUpload of two requests',
    asked: UNDO,
    ends: TWO_REQUESTS,
    before: { ...UNDONE, files: ['a', 'b', 'old'], perRequest: 1 },
    alreadySo: { ...UNDONE, ...OLD, perRequest: 1 },
    isSo: isGone('a', 'b'),
  },
  {
    what: 'RemoveFiles',
    asked: BY_URL,
    ends: REPEATABLE,
    before: { files: ['a', 'b'] },
    alreadySo: { files: ['b'] },
    isSo: isGone('a'),
  },
  {
    what: 'RemoveFiles by ids',
    asked: { ...BY_URL, urls: [], storageIds: ['a'] },
    ends: BY_ID,
    before: { files: ['a', 'b'] },
    alreadySo: { files: ['b'] },
    isSo: isGone('a'),
  },
  {
    what: 'RemoveAllFiles',
    asked: { kind: 'remove-all-files', entityId: 'e' },
    ends: REMOVE_ALL,
    before: { files: ['a', 'b'] },
    alreadySo: {},
  },
  {
    what: 'UploadInvoicePdf',
    asked: UPLOAD,
    ends: REPEATABLE,
    before: {},
    alreadySo: ATTACHED,
    isSo: isAttached,
  },
  {
    what: 'UploadInvoicePdf in the place of another',
    asked: UPLOAD,
    ends: REPLACING_PDF,
    before: { invoice: ['i'], invoiceSha256: 'sha-other' },
    alreadySo: ATTACHED,
    isSo: isAttached,
  },
  {
    what: 'UploadInvoicePdf under the same address',
    asked: UPLOAD,
    ends: SAME_ADDRESS,
    before: { invoice: ['i'], keepsAddress: true },
    alreadySo: ATTACHED,
  },
];

describe.each(CASES)('$what (guarantee 3)', ({ asked, ends, before, alreadySo, isSo }) => {
  it.each([...ends])('%s: %s, evidence %s, %i attempts, %s (rules 5, 16, 17, 32, 33)', async (name, ...expected) => {
    const start = name === 'already so' ? alreadySo : before;
    expect(endOf(await new SimulatedFiles(start).play(asked, COURSES[name]))).toEqual(expected);
  });

  it('has an end for every course', () => {
    expect(ends.map(([name]) => name)).toEqual(Object.keys(COURSES));
  });

  it('has one true outcome, and uploads no picture twice, whatever happens to its calls (rules 16, 32)', async () => {
    const fate = fc.constantFrom<Fate>(...Object.values(COURSES).flatMap(({ calls }): readonly Fate[] => calls));
    await fc.assert(
      fc.asyncProperty(fc.array(fate, { minLength: 1, maxLength: 5 }), async (fates) => {
        const course = await new SimulatedFiles(before).play(asked, { calls: [...fates, 'seen'] });
        expect(course.end).not.toBeNull();
        const isApplied = course.end?.outcome === 'applied';
        const isShown = isSo !== undefined && course.end?.evidence !== 'presumed';
        expect(isApplied).toBe(isShown ? isSo(course) : isApplied);
        expect(new Set(ordersOf(course)).size).toBe(ordersOf(course).length);
        expect(course.attempts).toBeLessThanOrEqual(6);
      }),
      { numRuns: sized(20, 1_000) },
    );
  });

  it('is unconfirmed only if it was sent, and waits while it cannot be read, however long (rules 5, 17)', async () => {
    await fc.assert(
      fc.asyncProperty(anyReads, async (reads) => {
        const course = await new SimulatedFiles(before).play(asked, { calls: ['seen'], reads });
        const neverSent = reads.includes('400') ? ['open', 'refused'] : ['open'];
        expect(course.calls === 0 ? neverSent : ['applied', 'refused', 'unconfirmed']).toContain(endOf(course)[0]);
        expect(course.end === null && reads.at(-1) === 'shown').toBe(false);
      }),
      { numRuns: sized(20, 400) },
    );
  });
});

describe('a PublishSkuImages of which the first request is seen (guarantee 3)', () => {
  it.each<[keyof typeof COURSES, ...Expected]>([
    ['silence', 'unconfirmed', 'none', 4, 'PLATFORM_SILENT'],
    ['refusal by event', 'refused', 'event', 2, 'PLATFORM_REFUSED'],
    ['lost answer, not applied', 'applied', 'read-back', 3, null],
    ['500s', 'unconfirmed', 'none', 4, 'PLATFORM_SILENT'],
  ])('%s of the removal of what it replaces: %s, evidence %s, %i attempts, %s (rule 32)', async (name, ...expected) => {
    const course = await new SimulatedFiles(OLD).play(other, { calls: ['seen', ...COURSES[name].calls] });
    expect(endOf(course)).toEqual(expected);
  });

  it.each<[keyof typeof COURSES, ...Expected]>([
    ['silence', 'unconfirmed', 'none', 2, 'PLATFORM_SILENT'],
    ['refusal by event', 'refused', 'event', 2, 'PLATFORM_REFUSED'],
    ['lost answer, not applied', 'applied', 'read-back', 3, null],
    ['500s', 'unconfirmed', 'none', 4, 'PLATFORM_SILENT'],
  ])('%s of the second: %s, evidence %s, %i attempts, %s (rule 32)', async (name, ...expected) => {
    const start = { ...OLD, ...SPLIT };
    const course = await new SimulatedFiles(start).play(three, { calls: ['seen', ...COURSES[name].calls] });
    expect(endOf(course)).toEqual(expected);
  });
});

describe('a PublishSkuImages whose SFTP server is away (rule 34)', () => {
  it.each<[string, NonNullable<Course['drops']>, ...Expected]>([
    ['for ever', ['away'], 'open', null, 0, null],
    ['for a while', ['away', 'away', 'there'], 'applied', 'read-back', 1, null],
  ])('%s, is no attempt (rule 34)', async (_what, drops, ...expected) => {
    const start = { ...OLD, ...SFTP };
    expect(endOf(await new SimulatedFiles(start).play(one, { calls: ['seen'], drops }))).toEqual(expected);
  });
});

describe.each<[string, FileWork]>([
  ['ListFiles', { ...SKU, kind: 'list-files' }],
  ['ReadInvoice', { kind: 'read-invoice', orderNumber: 1 }],
])('%s (guarantee 3)', (_command, asked) => {
  it.each([...READ])('%s: %s, evidence %s, %i attempts, %s (rules 5, 17)', async (name, ...expected) => {
    expect(endOf(await new SimulatedFiles().play(asked, READ_COURSES[name]))).toEqual(expected);
  });
});

describe('CheckInvoicePdf (guarantee 3)', () => {
  it('calls nothing: it ends the same, whatever the platform does (rule 33)', async () => {
    for (const course of Object.values(COURSES)) {
      const run = await new SimulatedFiles().play(CHECK, course);
      expect([...endOf(run), run.calls]).toEqual(['applied', 'none', 0, null, 0]);
    }
  });
});

function endOf({ end, attempts }: PlayedCommand) {
  return [end?.outcome ?? 'open', end?.evidence ?? null, attempts, end?.reason?.code ?? null];
}

/** Positions of the new images in the file list. */
function ordersOf({ platform: { urls } }: PlayedCommand): number[] {
  return urls.flatMap((url) => (/^\d+-/.test(url) ? [Number.parseInt(url, 10)] : []));
}

/** The list shows as many images as addresses, which Gondola applied. */
function there(...files: readonly string[]) {
  const images = files.map((_, index) => ({ order: index + 1, sha256: `sha-${index + 1}` }));
  return { files, known: { sets: [{ images, urls: files }], gone: [] } };
}

function publish(count: number, replace: boolean): FileWork {
  const pictures = Array.from({ length: count }, (_, index) => ({ order: index + 1, content: `sha-${index + 1}` }));
  return publishing(pictures, replace);
}

/** The same conclusions, except for `others`. */
function differing(ends: Ends, others: Ends): Ends {
  const byName = new Map(others.map((end) => [end[0], end]));
  return ends.map((end) => byName.get(end[0]) ?? end);
}
