import type { Session, Task } from '../command-line/command.ts';
import {
  type Explanation,
  explainFailure,
  failedReport,
  failureReport,
  wrongInput,
} from '../output/explain-failure.ts';
import type { ApiFailure } from '../operations-api/operations-api.ts';
import { requestTo } from '../operations-api/requests.ts';
import { tableOrNone } from '../output/blocks.ts';
import { type Block, EXIT, type Report } from '../output/report.ts';
import type { Say } from '../texts/texts.ts';
import {
  type CommandOutcome,
  commandOutcome,
  failedOutcome,
  giveCommand,
  type GivenCommand,
  waitForCommand,
} from './ask-command.adapter.ts';
import { readFileSize, readPaths, readSha256 } from './local-files.adapter.ts';
import { type GroupedPictures, groupPictures, pictureNameOf, referencesIn, type SkuPictures } from './picture-names.ts';
import { explainUnreadable, explainUploadFailure, sendFile } from './upload-file.commands.ts';

interface PublishOptions {
  readonly tenant: string | undefined;
  /** All pictures belong to this SKU, in the given order; undefined: their names determine the SKU. */
  readonly sku: string | undefined;
  readonly replace: boolean;
  /** Longest wait for the outcomes after the last upload, in milliseconds. */
  readonly waitMs: number;
}

/** A picture whose content file-gateway has stored. */
interface StoredPicture {
  readonly path: string;
  readonly uploadId: string;
  readonly sha256: string;
  /** False: its content was stored before. */
  readonly sent: boolean;
}

/** Result for one SKU. */
interface PublishedSku extends CommandOutcome {
  readonly externalReference: string;
  readonly pictures: readonly StoredPicture[];
  readonly commandId: string | null;
}

/** A SKU whose command was given, or the reason why it was not. */
type AskedSku = Pick<PublishedSku, 'externalReference' | 'pictures'> &
  (GivenCommand | { readonly kind: 'failed'; readonly why: Explanation });

/** Most references in one call of file-gateway. */
const REFERENCES_AT_ONCE = 1_000;

/** Exit codes of failures that affect every SKU. */
const HOPELESS: readonly number[] = [EXIT.usage, EXIT.unreachable, EXIT.unauthorized];

/**
 * Sends the pictures that file-gateway does not have yet, and gives one `PublishSkuImages` for each SKU. A repeat
 * sends no stored content again: contents are found by their SHA-256, and a set that the shop already has is
 * concluded as `unchanged`.
 */
export function publishPictures(paths: readonly string[], options: PublishOptions): Task {
  return async (session): Promise<Report> => {
    const { say } = session;
    const read = await readPaths(paths);
    if (read.kind === 'unreadable') return failedReport(explainUnreadable(read, say));
    const names = read.value.flatMap((path) => pictureNameOf(path) ?? []);
    if (names.length === 0) return failedReport(wrongInput('NO_PICTURES', say('noPictures')));
    const skipped = read.value.filter((path) => pictureNameOf(path) === null);
    const grouped = await group(session, names, options);
    if ('request' in grouped) return failureReport(grouped, say);
    const given = await askAll(session, grouped.skus, options);
    const untilMs = Date.now() + options.waitMs;
    const published: PublishedSku[] = [];
    for (const asked of given) {
      published.push(await concluded(session, asked, { ...options, untilMs }));
    }
    return report(published, { ...grouped, skipped }, say);
  };
}

async function group(
  { api }: Session,
  names: Parameters<typeof groupPictures>[0],
  { tenant, sku }: PublishOptions,
): Promise<GroupedPictures | ApiFailure> {
  if (sku !== undefined) {
    const whole = { externalReference: sku, paths: names.map(({ path }) => path) };
    return { skus: [whole], unknown: [], clashes: [] };
  }
  const known = new Set<string>();
  const references = referencesIn(names);
  for (let at = 0; at < references.length; at += REFERENCES_AT_ONCE) {
    const externalReferences = references.slice(at, at + REFERENCES_AT_ONCE);
    const result = await api.call(requestTo('files/known', { tenant, externalReferences }));
    if (result.kind !== 'answer') return result;
    for (const reference of Array.isArray(result.body['known']) ? result.body['known'] : [])
      known.add(String(reference));
  }
  return groupPictures(names, known);
}

/** Gives the commands one after the other: each is carried out while the pictures of the next are sent. */
async function askAll(session: Session, skus: readonly SkuPictures[], options: PublishOptions): Promise<AskedSku[]> {
  const asked: AskedSku[] = [];
  for (const sku of skus) {
    const last = asked.at(-1);
    if (last?.kind === 'failed' && HOPELESS.includes(last.why.exit)) break;
    asked.push(await ask(session, sku, options));
  }
  return asked;
}

async function ask(
  session: Session,
  { externalReference, paths }: SkuPictures,
  { tenant, replace }: PublishOptions,
): Promise<AskedSku> {
  const pictures: StoredPicture[] = [];
  for (const path of paths) {
    const stored = await store(session, path);
    if ('exit' in stored) return { kind: 'failed', externalReference, pictures, why: stored };
    pictures.push(stored);
  }
  const images = pictures.map(({ uploadId }, index) => ({ order: index + 1, content: { uploadId } }));
  const command = { command: 'PublishSkuImages', skuExternalReference: externalReference, images };
  const given = await giveCommand(session, tenant, { ...command, ...(replace && { replace }) });
  if (given.kind === 'given') return { externalReference, pictures, ...given };
  return { kind: 'failed', externalReference, pictures, why: explainFailure(given, session.say) };
}

/** Sends a picture unless its content is stored already. */
async function store(session: Session, path: string): Promise<StoredPicture | Explanation> {
  const { say, uploads } = session;
  const hash = await readSha256(path);
  if (hash.kind === 'unreadable') return pictureUnreadable(hash, say);
  const found = await uploads.find(hash.value);
  if (found !== null && found.kind !== 'upload') return explainUploadFailure(found, say);
  if (found !== null) return { path, uploadId: found.uploadId, sha256: found.sha256, sent: false };
  const file = await readFileSize(path);
  if (file.kind === 'unreadable') return pictureUnreadable(file, say);
  const sent = await sendFile(session, file.value);
  if (sent.kind !== 'upload') return explainUploadFailure(sent, say);
  return { path, uploadId: sent.uploadId, sha256: sent.sha256, sent: true };
}

/** A picture that cannot be read fails its SKU, and no other. */
function pictureUnreadable(reading: Parameters<typeof explainUnreadable>[0], say: Say): Explanation {
  return { ...explainUnreadable(reading, say), exit: EXIT.failed };
}

async function concluded(
  session: Session,
  { externalReference, pictures, ...asked }: AskedSku,
  { tenant, untilMs }: { readonly tenant: string | undefined; readonly untilMs: number },
): Promise<PublishedSku> {
  if (asked.kind === 'failed') return { externalReference, pictures, commandId: null, ...failedOutcome(asked.why) };
  const end = await waitForCommand(session, tenant, asked, untilMs);
  return { externalReference, pictures, commandId: asked.commandId, ...commandOutcome(end, session.say) };
}

function report(
  published: readonly PublishedSku[],
  left: Pick<GroupedPictures, 'skus' | 'unknown' | 'clashes'> & { readonly skipped: readonly string[] },
  say: Say,
): Report {
  const { unknown, clashes, skipped } = left;
  const notGiven = left.skus.slice(published.length).map(({ externalReference }) => externalReference);
  const notes = [
    ...unknown.map((path) => say('pictureUnknown', { path })),
    ...clashes.map(({ externalReference, paths }) =>
      say('pictureClash', { sku: externalReference, paths: paths.join(', ') }),
    ),
    ...(skipped.length > 0 ? [say('notPictures', { count: skipped.length })] : []),
    ...(notGiven.length > 0 ? [say('publishStopped', { count: notGiven.length })] : []),
  ];
  const hasLeft = unknown.length > 0 || clashes.length > 0;
  const exit = published.find((sku) => sku.exit !== EXIT.done)?.exit ?? (hasLeft ? EXIT.failed : EXIT.done);
  const skus = published.map(({ exit: _exit, ...sku }) => sku);
  return { json: { skus, unknown, clashes, skipped, notGiven }, blocks: blocksOf(published, say), notes, exit };
}

function blocksOf(published: readonly PublishedSku[], say: Say): Block[] {
  const rows = published.map(({ externalReference, pictures, outcome, reason }) => ({
    externalReference,
    pictures: pictures.length,
    sent: pictures.filter(({ sent }) => sent).length,
    outcome,
    detail: reason === null ? null : `${reason.code}: ${reason.message}`,
  }));
  const columns = {
    externalReference: 'colSku',
    pictures: { pt: 'FOTOS', en: 'PICTURES' },
    sent: { pt: 'ENVIADAS', en: 'SENT' },
    outcome: 'colOutcome',
    detail: 'colDetail',
  } as const;
  return [tableOrNone(say, columns, rows, 'detail')];
}
