import { call, command, group, type Session, type Task } from '../command-line/command.ts';
import { argument, TENANT } from '../command-line/inputs.ts';
import { type ApiFailure, entriesOf, type Entry, type OperationsApi } from '../operations-api/operations-api.ts';
import { requestTo } from '../operations-api/requests.ts';
import { tableOf } from '../output/blocks.ts';
import { failedReport, failureReport } from '../output/explain-failure.ts';
import { type Block, EXIT, line, type Report, shown } from '../output/report.ts';
import type { Say } from '../texts/texts.ts';
import { COMPARE } from './compare.commands.ts';
import type { FileRecord } from '@gondola/shared/records/csv';
import { fileBlocks, groupProblems } from './group-problems.ts';
import { KIND, LOAD_COMMANDS } from './load.commands.ts';
import { pagesOf } from './pages.ts';
import { explainReading, readingNotes, readRecords } from './read-records.adapter.ts';
import { withRepeats } from './repeats.ts';

/** Records in one call; the app accepts 500. */
const PAGE_RECORDS = 200;

const explain = call('catalog explain', (answer, _given, say) => shown(answer, explanationBlocks(answer, say)));

export const CATALOG = group('catalog', {
  preflight: command({
    inputs: { file: argument('<file>'), kind: KIND, tenant: TENANT },
    task: ({ file, kind = 'product', tenant }) => checkFile(file, kind, tenant),
    examples: ['produtos.jsonl', 'precos.csv --kind price --tenant acme --json'],
  }),
  explain: command({
    inputs: { externalReference: argument('<reference>'), tenant: TENANT },
    task: (given, { say }) => explain({ ...given, language: say('languageTag') }),
    examples: ['4711', '4711 --tenant acme --json'],
  }),
  compare: COMPARE,
  ...LOAD_COMMANDS,
});

/**
 * Sends every record to the app for checking only: the app stores and sends nothing. The findings are grouped here.
 */
function checkFile(file: string, kind: string, tenant: string | undefined): Task {
  return async ({ api, say }: Session): Promise<Report> => {
    const reading = await readRecords(file);
    if (reading.kind !== 'read') return failedReport(explainReading(reading, file, say));
    const checked: Entry[] = [];
    for (const page of pagesOf(reading.records, PAGE_RECORDS)) {
      const answer = await checkPage(api, page, { kind, tenant });
      if (answer.kind !== 'checked') return failureReport(answer, say);
      checked.push(...answer.entries);
    }
    const whole = kind === 'product' ? withRepeats(reading.records, checked, say) : checked;
    const found = groupProblems(reading.records, whole);
    const isGood = !found.groups.some(({ level }) => level === 'error');
    return {
      json: { file, kind, ...found },
      blocks: fileBlocks(found, say),
      notes: readingNotes(reading, file, say),
      exit: isGood ? EXIT.done : EXIT.failed,
    };
  };
}

async function checkPage(
  api: OperationsApi,
  page: readonly FileRecord[],
  { kind, tenant }: { readonly kind: string; readonly tenant: string | undefined },
): Promise<{ readonly kind: 'checked'; readonly entries: readonly Entry[] } | ApiFailure> {
  const records = page.map(({ text }) => text);
  const result = await api.call(requestTo('catalog preflight', { tenant, kind, records }));
  if (result.kind !== 'answer') return result;
  const entries = entriesOf(result.body['records']);
  if (entries.length === page.length) return { kind: 'checked', entries };
  return { ...result, kind: 'not-understood', status: 200 };
}

/** Formats the reason why a product is not in the shop: the first missing step, and all steps that were checked. */
function explanationBlocks({ summary, steps }: Entry, say: Say): Block[] {
  const columns = {
    step: { pt: 'PASSO', en: 'STEP' },
    state: 'colState',
    who: { pt: 'QUEM AGE', en: 'WHO ACTS' },
    text: 'colDetail',
  } as const;
  return [line(typeof summary === 'string' ? summary : ''), tableOf(say, columns, entriesOf(steps), 'text')];
}
