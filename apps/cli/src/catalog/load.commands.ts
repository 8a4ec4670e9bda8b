import { createHash } from 'node:crypto';
import type { Command } from 'commander';
import { type Choose, examples } from '../command-line/command-help.adapter.ts';
import { choiceOf, limitOf, WrongUsage } from '../command-line/option-values.ts';
import { ask, list, type Session, type Task } from '../command-line/task.ts';
import { type Explanation, explainFailure, failedReport } from '../output/explain-failure.ts';
import { type ApiFailure, type Entry, isEntry } from '../operations-api/operations-api.ts';
import { EXIT, type Report } from '../output/report.ts';
import type { Say } from '../texts/texts.ts';
import type { FileRecord } from './csv.ts';
import { followLoad, type Followed, loadRequest, lookAt } from './follow-load.adapter.ts';
import { loadReport, loadState, unreadableBlocks } from './load-state.ts';
import { pagesOf } from './pages.ts';
import { explainReading, readingNotes, readRecords } from './read-records.adapter.ts';
import { RECORD_KINDS } from './record-kinds.ts';

const APP = 'catalog-publisher';
const PATH = '/api/loads';
/** Records in one call; the app accepts 500. */
const PAGE_RECORDS = 200;
/** Number of calls between two readings of the load's state. */
const PAGES_BETWEEN_LOOKS = 10;
/** The limit of the topic's records. */
const MAX_RECORD_BYTES = 1_000_000;
const DIGITS_OF_NAME = 16;

interface LoadWish {
  readonly kind: string;
  readonly tenant: string | undefined;
  readonly loadId: string | undefined;
  readonly wait: boolean;
}

interface LoadOptions {
  kind?: string;
  tenant?: string;
  loadId?: string;
  wait: boolean;
}

/** A line of the file that holds no record. */
interface UnreadableLine {
  readonly line: number;
  readonly code: string;
}

interface ResendOptions {
  product?: string;
  category?: string;
  everything?: true;
  tenant?: string;
  wait: boolean;
}

export function loadCommands(catalog: Command, say: Say, choose: Choose): void {
  const load = catalog
    .command('load <file>')
    .description(say('catalogLoad'))
    .usage(`<file> ${say('usageOptions')}`)
    .option('--kind <kind>', say('optKind', { kinds: RECORD_KINDS.join(', ') }))
    .option('--load-id <id>', say('optLoadId'))
    .option('--no-wait', say('optNoWait'))
    .option('--tenant <id>', say('optTenant'))
    .action((file: string, { kind, tenant, loadId, wait }: LoadOptions) => {
      const chosen = choiceOf('--kind', kind, RECORD_KINDS, say) ?? 'product';
      choose(loadFile(file, { kind: chosen, tenant, loadId, wait }));
    });
  examples(load, say, [
    'catalog load produtos.jsonl',
    'catalog load precos.csv --kind price --load-id precos-2026-11 --no-wait',
  ]);

  const loads = catalog
    .command('loads [id]')
    .description(say('catalogLoads'))
    .usage(`[id] ${say('usageOptions')}`)
    .option('--tenant <id>', say('optTenant'))
    .option('--limit <n>', say('optLimit'))
    .option('--before <id>', say('optBefore'))
    .action((id: string | undefined, { tenant, limit, before }: { tenant?: string; limit?: string; before?: string }) =>
      choose(id === undefined ? listLoads({ tenant, before }, limitOf(limit, say), say) : showLoad(id, tenant)),
    );
  examples(loads, say, ['catalog loads', 'catalog loads precos-2026-11 --json']);

  const resend = catalog
    .command('resend')
    .description(say('catalogResend'))
    .usage(say('usageOptions'))
    .option('--product <reference>', say('optResendProduct'))
    .option('--category <reference>', say('optResendCategory'))
    .option('--everything', say('optResendEverything'))
    .option('--no-wait', say('optNoWait'))
    .option('--tenant <id>', say('optTenant'))
    .action((options: ResendOptions) => choose(resendProducts(options, say)));
  examples(resend, say, [
    'catalog resend --product 4711',
    'catalog resend --category FRIOS --tenant acme',
    'catalog resend --everything --no-wait',
  ]);
}

/**
 * Hands a file over page by page, starting where the same file stopped before, and waits until its records are
 * concluded.
 */
function loadFile(file: string, wish: LoadWish): Task {
  return async (session) => {
    const { say } = session;
    const reading = await readRecords(file);
    if (reading.kind !== 'read') return failedReport(explainReading(reading, file, say));
    const { records } = reading;
    const notes = readingNotes(reading, file, say);
    const wrong = wrongRecords(records, file, say);
    if (wrong !== null) return failedReport(wrong);
    const digest = digestOf(records);
    const loadId = wish.loadId ?? `file-${digest.slice(0, DIGITS_OF_NAME)}`;
    const begin = { loadId, kind: wish.kind, records: records.length, digest };
    const followed = { loadId, tenant: wish.tenant, expected: records.length };
    const handed = await handOver(session, followed, begin, records);
    if (handed.kind === 'failed') {
      const report = failedReport(explainFailure(handed.failure, say));
      return { ...report, notes: [...notes, ...report.notes, say('loadAgain')] };
    }
    const more = { blocks: unreadableBlocks(handed.unreadable, say), notes };
    return wish.wait ? followLoad(session, { ...followed, more }) : lookOnce(session, { ...followed, more });
  };
}

/** Finds records that the app would refuse in the middle of the file. */
function wrongRecords(records: readonly FileRecord[], file: string, say: Say): Explanation | null {
  const large = records.find(({ text }) => Buffer.byteLength(JSON.stringify(text)) > MAX_RECORD_BYTES);
  if (large === undefined) return null;
  const message = say('fileRecordTooLarge', { file, line: large.line, most: MAX_RECORD_BYTES });
  return { code: 'FILE_RECORD_TOO_LARGE', message, exit: EXIT.usage };
}

type HandedOver =
  | { readonly kind: 'handed-over'; readonly unreadable: readonly UnreadableLine[] }
  | { readonly kind: 'failed'; readonly failure: ApiFailure };

/**
 * Hands over the records that the app has not received. If another process hands over the same file, it continues
 * at the page that the app expects next.
 */
async function handOver(
  session: Session,
  followed: Followed,
  begin: Entry,
  records: readonly FileRecord[],
): Promise<HandedOver> {
  const { api } = session;
  const query = { tenant: followed.tenant };
  const unreadable: UnreadableLine[] = [];
  for (let round = 0; ; round += 1) {
    const begun = await api.call({ app: APP, method: 'POST', path: PATH, query, body: begin });
    if (begun.kind !== 'answer') return { kind: 'failed', failure: begun };
    let from = loadState(begun.body)?.taken ?? 0;
    const path = `${PATH}/${encodeURIComponent(followed.loadId)}/records`;
    let isOvertaken = false;
    for (const [index, page] of pagesOf(records.slice(from), PAGE_RECORDS).entries()) {
      const body = { from, records: page.map(({ text }) => text) };
      const taken = await api.call({ app: APP, method: 'POST', path, query, body });
      isOvertaken = taken.kind === 'refused' && taken.code === 'NOT_THE_NEXT' && round < records.length;
      if (isOvertaken) break;
      if (taken.kind !== 'answer') return { kind: 'failed', failure: taken };
      unreadable.push(...unreadableLines(taken.body, records));
      from += page.length;
      if (index % PAGES_BETWEEN_LOOKS === 0) await lookAt(session, followed);
    }
    if (!isOvertaken) return { kind: 'handed-over', unreadable };
  }
}

function unreadableLines({ unreadable }: Entry, records: readonly FileRecord[]): UnreadableLine[] {
  if (!Array.isArray(unreadable)) return [];
  return unreadable.filter(isEntry).map(({ index, code }) => ({
    line: records[Number(index)]?.line ?? 0,
    code: String(code),
  }));
}

/** Digest of the records and their kind: the same records are the same file, whatever its name. */
function digestOf(records: readonly FileRecord[]): string {
  const hash = createHash('sha256');
  for (const { text } of records) hash.update(`${text}\n`);
  return hash.digest('hex');
}

async function lookOnce(session: Session, followed: Followed): Promise<Report> {
  const { say } = session;
  const seen = await lookAt(session, followed);
  if (seen.kind !== 'seen') return failedReport(explainFailure(seen, say));
  const notes = [...(followed.more?.notes ?? []), say('loadGoesOn', { id: followed.loadId })];
  return { ...loadReport(seen.body, seen.state, say, { ...followed.more, notes }), exit: EXIT.done };
}

function showLoad(id: string, tenant: string | undefined): Task {
  return (session) =>
    ask(session, loadRequest(id, tenant), (body) => {
      const state = loadState(body);
      const report = { json: body, blocks: [], notes: [], exit: EXIT.done };
      return state === null ? report : { ...loadReport(body, state, session.say), exit: EXIT.done };
    });
}

function listLoads(query: { tenant: string | undefined; before: string | undefined }, limit: number, say: Say): Task {
  const columns = [
    [say('colLoad'), 'loadId'],
    [say('colTenant'), 'tenant'],
    [say('colBegan'), 'startedAt'],
    [say('colRecords'), 'total'],
    [say('colOpen'), 'open'],
    [say('colPerMinute'), 'perMinute'],
    [say('colEstimatedEnd'), 'estimatedEndAt'],
  ] as const;
  return (session) =>
    list(session, { app: APP, path: PATH, member: 'entries', query, limit }, { columns, flexible: 'tenant' });
}

/** Resends products that the shop is known to have, after all new records. */
function resendProducts({ product, category, everything, tenant, wait }: ResendOptions, say: Say): Task {
  const body = {
    ...(product !== undefined && { product }),
    ...(category !== undefined && { category }),
    ...(everything !== undefined && { everything }),
  };
  if (Object.keys(body).length !== 1) throw new WrongUsage(say('resendOne'));
  return async (session) => {
    const result = await session.api.call({ app: APP, method: 'POST', path: '/api/resends', query: { tenant }, body });
    if (result.kind !== 'answer') return failedReport(explainFailure(result, say));
    const begun = loadState(result.body);
    const { request, address } = result;
    if (begun === null) {
      return failedReport(explainFailure({ kind: 'not-understood', status: 202, request, address }, say));
    }
    const followed = { loadId: begun.loadId, tenant, expected: begun.total };
    return wait ? followLoad(session, followed) : lookOnce(session, followed);
  };
}
