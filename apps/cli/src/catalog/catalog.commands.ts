import type { Command } from 'commander';
import { type Choose, examples, group } from '../command-line/command-help.adapter.ts';
import { choiceOf } from '../command-line/option-values.ts';
import { ask, type Session, type Task } from '../command-line/task.ts';
import { explainFailure, failedReport } from '../output/explain-failure.ts';
import { type Entry, isEntry, type OperationsApi, type ApiFailure } from '../operations-api/operations-api.ts';
import { tableOf } from '../output/blocks.ts';
import { type Block, EXIT, type Report } from '../output/report.ts';
import type { Say } from '../texts/texts.ts';
import { compareCommand } from './compare.commands.ts';
import { fileBlocks } from './check-blocks.ts';
import type { FileRecord } from './csv.ts';
import { groupProblems } from './group-problems.ts';
import { loadCommands } from './load.commands.ts';
import { pagesOf } from './pages.ts';
import { explainReading, readingNotes, readRecords } from './read-records.adapter.ts';
import { withRepeats } from './repeats.ts';
import { RECORD_KINDS } from './record-kinds.ts';

const APP = 'catalog-publisher';
/** Records in one call; the app accepts 500. */
const PAGE_RECORDS = 200;

export function catalogCommands(program: Command, say: Say, choose: Choose): void {
  const catalog = group(program, 'catalog', say('catalog'), say);
  const preflight = catalog
    .command('preflight <file>')
    .description(say('catalogPreflight'))
    .usage(`<file> ${say('usageOptions')}`)
    .option('--kind <kind>', say('optKind', { kinds: RECORD_KINDS.join(', ') }))
    .option('--tenant <id>', say('optTenant'))
    .action((file: string, given: { kind?: string; tenant?: string }) => {
      const kind = choiceOf('--kind', given.kind, RECORD_KINDS, say) ?? 'product';
      choose(checkFile(file, kind, given.tenant));
    });
  examples(preflight, say, [
    'catalog preflight produtos.jsonl',
    'catalog preflight precos.csv --kind price --tenant acme --json',
  ]);

  const explain = catalog
    .command('explain <reference>')
    .description(say('catalogExplain'))
    .usage(`<reference> ${say('usageOptions')}`)
    .option('--tenant <id>', say('optTenant'))
    .action((reference: string, { tenant }: { tenant?: string }) => choose(explainProduct(reference, tenant)));
  examples(explain, say, ['catalog explain 4711', 'catalog explain 4711 --tenant acme --json']);
  compareCommand(catalog, say, choose);
  loadCommands(catalog, say, choose);
}

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
      if (answer.kind !== 'checked') return failedReport(explainFailure(answer, say));
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
  const body = { kind, records: page.map(({ text }) => text) };
  const result = await api.call({ app: APP, method: 'POST', path: '/api/preflight', query: { tenant }, body });
  if (result.kind !== 'answer') return result;
  const { records } = result.body;
  const entries = Array.isArray(records) ? records.filter(isEntry) : [];
  if (entries.length === page.length) return { kind: 'checked', entries };
  const { request, address } = result;
  return { kind: 'not-understood', status: 200, request, address };
}

/** Explains why a product is not in the shop, or that it is. */
function explainProduct(reference: string, tenant: string | undefined): Task {
  return async (session) => {
    const { say } = session;
    const path = `/api/products/${encodeURIComponent(reference)}/explanation`;
    const query = { tenant, language: say('languageTag') };
    return await ask(session, { app: APP, method: 'GET', path, query }, (body) => {
      return { json: body, blocks: explanationBlocks(body, say), notes: [], exit: EXIT.done };
    });
  };
}

/** Formats the reason why a product is not in the shop: the first missing step, and all steps that were checked. */
function explanationBlocks(explanation: Entry, say: Say): Block[] {
  const { summary, steps } = explanation;
  const rows = Array.isArray(steps) ? steps.filter(isEntry) : [];
  const columns = [
    [say('colStep'), 'step'],
    [say('colState'), 'state'],
    [say('colWho'), 'who'],
    [say('colDetail'), 'text'],
  ] as const;
  return [{ kind: 'line', text: typeof summary === 'string' ? summary : '' }, tableOf(rows, columns, 'text')];
}
