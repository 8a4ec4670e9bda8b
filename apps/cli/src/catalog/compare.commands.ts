import { setTimeout as delay } from 'node:timers/promises';
import { command, type Session, type Task } from '../command-line/command.ts';
import { flag, LIMIT, option, optionalArgument, TENANT } from '../command-line/inputs.ts';
import { limitOf } from '../command-line/option-values.ts';
import { explainFailure, failedReport, wrongInput } from '../output/explain-failure.ts';
import type { Entry } from '../operations-api/operations-api.ts';
import { requestTo } from '../operations-api/requests.ts';
import { EXIT, type Report } from '../output/report.ts';
import type { Say } from '../texts/texts.ts';
import {
  type ComparedPage,
  type Comparison,
  comparedPage,
  comparisonBlocks,
  isAsExpected,
  NOTHING_COMPARED,
  withPage,
} from './comparison.ts';
import type { FileRecord } from '@gondola/shared/records/csv';
import { fieldsIn, pagesOf, referenceIn } from './pages.ts';
import { explainReading, readingNotes, readRecords } from './read-records.adapter.ts';

/** Records in one call. The app compares as many as its pace allows; the others go into the next call. */
const PAGE_RECORDS = 50;
/** Most interruptions in a row without a compared product in between. */
const MOST_STOPS = 10;
const LONGEST_WAIT_MS = 30_000;

interface CompareWish {
  /** File with product records; without one, the products that Gondola knows are compared. */
  readonly file: string | undefined;
  readonly tenant: string | undefined;
  readonly adopt: boolean;
  readonly after: string | undefined;
  readonly limit: number;
}

/** Records or products that are still to be compared. */
interface Remaining {
  /** Body of the next call; null: nothing is left. */
  body(): Entry | null;
  /** Removes the products of a compared page. Returns the last compared reference, null before the first. */
  advance(page: ComparedPage): string | null;
  /** Number of products and records that are still to be compared. */
  count(page: ComparedPage): number;
}

export const COMPARE = command({
  inputs: {
    file: optionalArgument('[file]'),
    adopt: flag('--adopt', {
      pt: 'publica os SKUs como a loja os tem, para uma loja preenchida antes do uso do Gondola',
      en: 'publishes the SKUs as the shop has them, for a shop that was filled before Gondola was used',
    }),
    after: option('--after <reference>', {
      pt: 'continua depois desta referência',
      en: 'continues after this reference',
    }),
    limit: LIMIT,
    tenant: TENANT,
  },
  task: ({ limit, ...wish }, { say }) => compareProducts({ ...wish, limit: limitOf(limit, say) }),
  examples: ['', 'produtos.jsonl --tenant acme --json', 'produtos.csv --adopt --after 4711'],
});

/**
 * Reads products back page by page, and waits while the platform is away. All are counted, the first ones are
 * listed.
 */
function compareProducts(wish: CompareWish): Task {
  return async (session) => {
    if (wish.file === undefined) return await compareAll(session, wish, knownProducts(wish.after ?? null));
    const reading = await readRecords(wish.file);
    if (reading.kind !== 'read') return failedReport(explainReading(reading, wish.file, session.say));
    const records = behind(reading.records, wish.after);
    if (records !== null) {
      const report = await compareAll(session, wish, recordsOfFile(records));
      return { ...report, notes: [...readingNotes(reading, wish.file, session.say), ...report.notes] };
    }
    const message = session.say('compareNoAfter', { after: wish.after ?? '', file: wish.file });
    return failedReport(wrongInput('AFTER_UNKNOWN', message));
  };
}

async function compareAll(session: Session, wish: CompareWish, remaining: Remaining): Promise<Report> {
  const { api, say, progress } = session;
  const request = requestTo('catalog compare', { tenant: wish.tenant });
  let comparison = NOTHING_COMPARED;
  let last = wish.after ?? null;
  let stops = 0;
  for (let body = remaining.body(); body !== null; body = remaining.body()) {
    const result = await api.call({ ...request, body: { ...body, adopt: wish.adopt } });
    if (result.kind !== 'answer') return stoppedReport(explainFailure(result, say), last, say);
    const page = comparedPage(result.body);
    if (page === null) {
      return stoppedReport(explainFailure({ ...result, kind: 'not-understood', status: 200 }, say), last, say);
    }
    comparison = withPage(comparison, page.products, wish.limit);
    last = remaining.advance(page) ?? last;
    progress({ done: comparison.compared, total: comparison.compared + remaining.count(page) });
    if (page.stopped === null) continue;
    stops = page.products.length > 0 ? 0 : stops + 1;
    if (stops > MOST_STOPS) {
      const message = say('compareStopped', { cause: page.stopped.cause, compared: comparison.compared });
      return stoppedReport({ code: 'PLATFORM_AWAY', message, exit: EXIT.failed }, last, say);
    }
    await delay(Math.min(page.stopped.retryAfterMs, LONGEST_WAIT_MS));
  }
  return finishedReport(comparison, say);
}

function finishedReport(comparison: Comparison, say: Say): Report {
  const { states, ...counts } = comparison;
  return {
    json: { ...counts, ...states },
    blocks: comparisonBlocks(comparison, say),
    notes: [],
    exit: isAsExpected(comparison) ? EXIT.done : EXIT.failed,
  };
}

/** Report of a failure half-way, with the command that continues. */
function stoppedReport(explanation: Parameters<typeof failedReport>[0], last: string | null, say: Say): Report {
  const report = failedReport(explanation);
  return last === null ? report : { ...report, notes: [...report.notes, say('compareGoOn', { after: last })] };
}

function knownProducts(from: string | null): Remaining {
  let after = from;
  let isThrough = false;
  return {
    body: () => (isThrough ? null : after === null ? {} : { after }),
    advance: ({ next, stopped }) => {
      isThrough = next === null && stopped === null;
      after = next ?? after;
      return after;
    },
    count: ({ remaining }) => remaining,
  };
}

function recordsOfFile(records: readonly FileRecord[]): Remaining {
  const pages = pagesOf(records, PAGE_RECORDS);
  let at = 0;
  let open: readonly FileRecord[] = pages.shift() ?? [];
  return {
    body: () => (open.length === 0 ? null : { records: open.map(({ text }) => text) }),
    advance: ({ products }) => {
      at += products.length;
      open = open.slice(products.length);
      if (open.length === 0) open = pages.shift() ?? [];
      const last = products.findLast(({ externalReference }) => typeof externalReference === 'string');
      return last === undefined ? null : String(last['externalReference']);
    },
    count: () => records.length - at,
  };
}

/** Records after the last one with this reference; null: no record has it. */
function behind(records: readonly FileRecord[], after: string | undefined): readonly FileRecord[] | null {
  if (after === undefined) return records;
  const at = records.findLastIndex(({ text }) => referenceIn(fieldsIn(text)) === after);
  return at === -1 ? null : records.slice(at + 1);
}
