import { createHash } from 'node:crypto';
import { VALUE_KINDS } from '@gondola/shared/topics/values';
import { call, command, list, type Session, type Task } from '../command-line/command.ts';
import {
  argument,
  BEFORE,
  choice,
  flag,
  LIMIT,
  option,
  optionalArgument,
  TENANT,
  WAIT,
} from '../command-line/inputs.ts';
import { WrongUsage } from '../command-line/option-values.ts';
import { type ApiFailure, entriesOf, type Entry } from '../operations-api/operations-api.ts';
import { requestTo } from '../operations-api/requests.ts';
import { type Explanation, failedReport, failureReport, wrongInput } from '../output/explain-failure.ts';
import { EXIT, type Report, shown } from '../output/report.ts';
import type { Say } from '../texts/texts.ts';
import type { FileRecord } from '@gondola/shared/records/csv';
import { followLoad, type Followed, lookAt } from './follow-load.adapter.ts';
import { loadReport, loadState, unreadableBlocks } from './load-state.ts';
import { pagesOf } from './pages.ts';
import { explainReading, readingNotes, readRecords } from './read-records.adapter.ts';

const RECORD_KINDS = ['product', 'brand', 'category', ...VALUE_KINDS] as const;
/** Kind of the records of a file; the default is product. */
export const KIND = choice(
  '--kind <kind>',
  { pt: 'espécie dos registros: {choices} (padrão product)', en: 'kind of the records: {choices} (default product)' },
  RECORD_KINDS,
);
/** Records in one call; the app accepts 500. */
const PAGE_RECORDS = 200;
/** Number of calls between two readings of the load's state. */
const PAGES_BETWEEN_LOOKS = 10;
/** The limit of the topic's records. */
const MAX_RECORD_BYTES = 1_000_000;
/** Lowest status of an answer that does not refuse the request itself. */
const SERVER_ERROR = 500;

interface LoadWish {
  readonly kind: string;
  readonly tenant: string | undefined;
  readonly loadId: string | undefined;
  readonly wait: boolean;
}

/** A line of the file that holds no record. */
interface UnreadableLine {
  readonly line: number;
  readonly code: string;
}

const loads = list('catalog loads', {
  columns: {
    loadId: { pt: 'CARGA', en: 'LOAD' },
    tenant: 'colTenant',
    startedAt: 'colBegan',
    total: 'colRecords',
    open: 'colOpen',
    perMinute: 'colPerMinute',
    estimatedEndAt: 'colEstimatedEnd',
  },
  flexible: 'tenant',
});

export const LOAD_COMMANDS = {
  load: command({
    inputs: {
      file: argument('<file>'),
      kind: KIND,
      loadId: option('--load-id <id>', {
        pt: 'nome desta única carga (padrão: um novo nome, ou o de uma carga interrompida dos mesmos registros)',
        en: 'name of this one load (default: a new name, or that of an interrupted load of the same records)',
      }),
      wait: WAIT,
      tenant: TENANT,
    },
    task: ({ file, kind = 'product', ...wish }) => loadFile(file, { ...wish, kind }),
    examples: ['produtos.jsonl', 'precos.csv --kind price --load-id precos-2026-11 --no-wait'],
  }),
  loads: command({
    inputs: { id: optionalArgument('[id]'), tenant: TENANT, limit: LIMIT, before: BEFORE },
    task: ({ id, ...given }, refusing) =>
      id === undefined ? loads(given, refusing) : showLoad({ loadId: id, tenant: given.tenant }),
    examples: ['', 'precos-2026-11 --json'],
  }),
  resend: command({
    inputs: {
      product: option('--product <reference>', { pt: 'um produto', en: 'a product' }),
      category: option('--category <reference>', {
        pt: 'uma categoria, suas subcategorias e os produtos delas',
        en: 'a category, its subcategories, and their products',
      }),
      everything: flag('--everything', { pt: 'marcas, categorias e produtos', en: 'brands, categories and products' }),
      wait: WAIT,
      tenant: TENANT,
    },
    task: ({ wait, tenant, product, category, everything }, { say }) => {
      const body = {
        ...(product !== undefined && { product }),
        ...(category !== undefined && { category }),
        ...(everything && { everything }),
      };
      if (Object.keys(body).length !== 1) throw new WrongUsage(say('resendOne'));
      return resend(body, tenant, wait);
    },
    examples: ['--product 4711', '--category FRIOS --tenant acme', '--everything --no-wait'],
  }),
};

/**
 * Hands a file over page by page, starting where the same file was interrupted, and waits until its records are
 * concluded. The app decides whether this goes on with a load or begins one.
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
    const begun = await beginLoad(session, wish, records);
    if (begun.kind === 'failed') return notHandedOver(begun.failure, notes, say);
    const { loadId, taken } = begun;
    if (taken > 0) notes.push(say('loadGoneOn', { id: loadId, taken }));
    const followed = { loadId, tenant: wish.tenant, expected: records.length };
    const handed = await handOver(session, followed, records, taken);
    if (handed.kind === 'failed') return notHandedOver(handed.failure, notes, say);
    const more = { blocks: unreadableBlocks(handed.unreadable, say), notes };
    return wish.wait ? followLoad(session, { ...followed, more }) : lookOnce(session, { ...followed, more });
  };
}

/** Finds records that the app would refuse in the middle of the file. */
function wrongRecords(records: readonly FileRecord[], file: string, say: Say): Explanation | null {
  const large = records.find(({ text }) => Buffer.byteLength(JSON.stringify(text)) > MAX_RECORD_BYTES);
  if (large === undefined) return null;
  const message = say('fileRecordTooLarge', { file, line: large.line, most: MAX_RECORD_BYTES });
  return wrongInput('FILE_RECORD_TOO_LARGE', message);
}

type Begun =
  | { readonly kind: 'begun'; readonly loadId: string; readonly taken: number }
  | { readonly kind: 'failed'; readonly failure: ApiFailure };

async function beginLoad(
  { api }: Session,
  { loadId, kind, tenant }: LoadWish,
  records: readonly FileRecord[],
): Promise<Begun> {
  const file = { kind, records: records.length, digest: digestOf(records) };
  const answer = await api.call(requestTo('catalog load', { tenant, ...file, loadId }));
  if (answer.kind !== 'answer') return { kind: 'failed', failure: answer };
  const state = loadState(answer.body);
  if (state === null) return { kind: 'failed', failure: { ...answer, kind: 'not-understood', status: 200 } };
  return { kind: 'begun', loadId: state.loadId, taken: state.taken };
}

type HandedOver =
  | { readonly kind: 'handed-over'; readonly unreadable: readonly UnreadableLine[] }
  | { readonly kind: 'failed'; readonly failure: ApiFailure };

/**
 * Hands over the records behind the first `taken`, which the app has. If another process hands over the same file, it
 * continues at the page that the app expects next.
 */
async function handOver(
  session: Session,
  followed: Followed,
  records: readonly FileRecord[],
  taken: number,
): Promise<HandedOver> {
  const unreadable: UnreadableLine[] = [];
  for (let from = taken, round = 0; ; round += 1) {
    let isOvertaken = false;
    for (const [index, page] of pagesOf(records.slice(from), PAGE_RECORDS).entries()) {
      const { loadId, tenant } = followed;
      const part = { from, records: page.map(({ text }) => text) };
      const result = await session.api.call(requestTo('catalog load/records', { loadId, tenant, ...part }));
      isOvertaken = result.kind === 'refused' && result.code === 'NOT_THE_NEXT' && round < records.length;
      if (isOvertaken) break;
      if (result.kind !== 'answer') return { kind: 'failed', failure: result };
      unreadable.push(...unreadableLines(result.body, records));
      from += page.length;
      if (index % PAGES_BETWEEN_LOOKS === 0) await lookAt(session, followed);
    }
    if (!isOvertaken) return { kind: 'handed-over', unreadable };
    const seen = await lookAt(session, followed);
    if (seen.kind !== 'seen') return { kind: 'failed', failure: seen };
    from = seen.state.taken;
  }
}

/** A refusal would meet the same command again; after any other failure that command continues. */
function notHandedOver(failure: ApiFailure, notes: readonly string[], say: Say): Report {
  const report = failureReport(failure, say);
  const isRefusal = failure.kind === 'refused' && failure.status < SERVER_ERROR;
  return { ...report, notes: [...notes, ...report.notes, ...(isRefusal ? [] : [say('loadAgain')])] };
}

function unreadableLines({ unreadable }: Entry, records: readonly FileRecord[]): UnreadableLine[] {
  return entriesOf(unreadable).map(({ index, code }) => ({
    line: records[Number(index)]?.line ?? 0,
    code: String(code),
  }));
}

/** Digest of the records: the same records are the same file, whatever its name. */
function digestOf(records: readonly FileRecord[]): string {
  const hash = createHash('sha256');
  for (const { text } of records) hash.update(`${text}\n`);
  return hash.digest('hex');
}

async function lookOnce(session: Session, followed: Followed): Promise<Report> {
  const { say } = session;
  const seen = await lookAt(session, followed);
  if (seen.kind !== 'seen') return failureReport(seen, say);
  const notes = [...(followed.more?.notes ?? []), say('loadGoesOn', { id: followed.loadId })];
  return { ...loadReport(seen.body, seen.state, say, { ...followed.more, notes }), exit: EXIT.done };
}

const showLoad = call('catalog loads/one', (body, _given, say) => {
  const state = loadState(body);
  return shown(body, state === null ? [] : loadReport(body, state, say).blocks);
});

/** Resends products that the shop is known to have, after all new records. */
function resend(body: Entry, tenant: string | undefined, wait: boolean): Task {
  return async (session) => {
    const { api, say } = session;
    const result = await api.call(requestTo('catalog resend', { tenant, ...body }));
    if (result.kind !== 'answer') return failureReport(result, say);
    const begun = loadState(result.body);
    if (begun === null) return failureReport({ ...result, kind: 'not-understood', status: 202 }, say);
    const followed = { loadId: begun.loadId, tenant, expected: begun.total };
    return wait ? followLoad(session, followed) : lookOnce(session, followed);
  };
}
