import type { Command } from 'commander';
import { type Choose, examples } from '../command-line/command-help.adapter.ts';
import { choiceOf, filledOf, limitOf, WrongUsage } from '../command-line/option-values.ts';
import { ask, done, list, type Session, type Task } from '../command-line/task.ts';
import { listPages } from '../operations-api/list-pages.ts';
import { type Entry, isEntry } from '../operations-api/operations-api.ts';
import { cell, fieldsOf, tableOf } from '../output/blocks.ts';
import { explainFailure, failedReport } from '../output/explain-failure.ts';
import { type Block, EXIT, type Report } from '../output/report.ts';
import type { Say } from '../texts/texts.ts';
import { showEntry } from './show-entry.ts';

const APP = 'webhook-ingest';
const PATH = '/api/quarantine';
/** Most entries that a dry run counts. */
const MOST = 10_000;
/** Entries in one call; it ends long before the command line gives up waiting. */
const AT_ONCE = 100;
/** The values of `GET /api/quarantine?state=`. */
const STATES = ['open', 'reprocessed', 'discarded'] as const;

interface QuarantineOptions {
  tenant?: string;
  reason?: string;
  state?: string;
  limit?: string;
  before?: string;
  body?: true;
}

type Filter = Pick<QuarantineOptions, 'tenant' | 'reason'>;

interface ReprocessOptions extends Filter {
  confirm?: true;
}

export function quarantineCommands(notifications: Command, say: Say, choose: Choose): void {
  const options = say('usageOptions');
  const quarantine = notifications
    .command('quarantine [id]')
    .description(say('notificationsQuarantine'))
    .usage(`[id] ${options}`)
    .option('--tenant <id>', say('optTenant'))
    .option('--reason <code>', say('optReason'))
    .option('--state <state>', say('optState', { states: STATES.join(', ') }))
    .option('--limit <n>', say('optLimit'))
    .option('--before <id>', say('optBefore'))
    .option('--body', say('optBody'))
    .action((id: string | undefined, { body, ...filters }: QuarantineOptions) => {
      if (id === undefined) {
        if (body) throw new WrongUsage(say('bodyWithoutId'));
        return choose(listQuarantine(filters, say));
      }
      const filter = Object.keys(filters)[0];
      if (filter !== undefined) throw new WrongUsage(say('idWithFilters', { option: `--${filter}` }));
      return choose(showEntry('quarantine', id, body === true));
    });
  examples(quarantine, say, [
    'notifications quarantine --tenant acme --state open',
    'notifications quarantine --reason NOT_JSON --json',
    'notifications quarantine 17 --body',
  ]);

  const reprocessing = notifications
    .command('reprocess [id]')
    .description(say('notificationsReprocess'))
    .usage(`[id] ${options}`)
    .option('--tenant <id>', say('optTenant'))
    .option('--reason <code>', say('optReason'))
    .option('--confirm', say('optConfirm'))
    .action((id: string | undefined, { confirm, ...filter }: ReprocessOptions) => {
      if (id === undefined) {
        return choose((session) => (confirm ? reprocessAll(session, filter) : countOpen(session, filter)));
      }
      const [option] = Object.keys(filter);
      if (option !== undefined) throw new WrongUsage(say('idWithFilters', { option: `--${option}` }));
      return choose((session) => reprocess(session, id));
    });
  examples(reprocessing, say, [
    'notifications reprocess 17',
    'notifications reprocess --tenant acme --reason NOT_STORABLE',
    'notifications reprocess --tenant acme --reason NOT_STORABLE --confirm',
  ]);

  const discard = notifications
    .command('discard <id>')
    .description(say('notificationsDiscard'))
    .usage(`<id> ${options}`)
    .requiredOption('--note <text>', say('optNote'))
    .action((id: string, given: { note: string }) => {
      const note = filledOf('--note', given.note, say);
      choose((session) =>
        ask(session, post(id, 'discard', { note }), (body) => done({ id, ...body }, say('discarded', { id }))),
      );
    });
  examples(discard, say, ['notifications discard 17 --note "teste da agência / test of the agency"']);
}

function listQuarantine({ tenant, reason, before, ...given }: QuarantineOptions, say: Say): Task {
  const limit = limitOf(given.limit, say);
  const query = { tenant, reason, state: choiceOf('--state', given.state, STATES, say), before };
  return (session) =>
    list(
      session,
      { app: APP, path: PATH, query, member: 'entries', limit },
      {
        columns: [
          [say('colId'), 'id'],
          [say('colReceived'), 'receivedAt'],
          [say('colTenant'), 'tenant'],
          [say('colState'), 'state'],
          [say('colReason'), 'reason'],
          [say('colBytes'), 'bytes'],
          [say('colDetail'), 'detail'],
        ],
        flexible: 'detail',
      },
    );
}

/** Makes the app read an entry again. If the entry stays in the quarantine, the exit code is 1. */
async function reprocess(session: Session, id: string): Promise<Report> {
  const { say } = session;
  return await ask(session, post(id, 'reprocess'), (body) => {
    const json = { id, ...body };
    switch (body['outcome']) {
      case 'stored':
        return done(json, say('stored', { id }));
      case 'repeated':
        return done(json, say('repeated', { id }));
      case 'still-quarantined': {
        const sentence = say('stillQuarantined', { id, reason: cell(body['reason']) });
        return { json, blocks: [], notes: [sentence], exit: EXIT.failed };
      }
      default:
        return { json, blocks: [fieldsOf(json)], notes: [], exit: EXIT.done };
    }
  });
}

/** Counts the open entries that would be read again. */
async function countOpen({ api, say }: Session, filter: Filter): Promise<Report> {
  const listing = {
    app: APP,
    path: PATH,
    query: { ...filter, state: 'open' },
    member: 'entries',
    limit: MOST,
  } as const;
  const listed = await listPages(api, listing);
  if (listed.kind !== 'listed') return failedReport(explainFailure(listed, say));
  const count = listed.entries.length;
  return done({ confirmed: false, open: count }, say('reprocessDryRun', { count }));
}

/** Makes the app read all open entries again, page by page. If one stays in the quarantine, the exit code is 1. */
async function reprocessAll({ api, say }: Session, filter: Filter): Promise<Report> {
  const counts = { stored: 0, repeated: 0 };
  const failed: Entry[] = [];
  for (let after: string | undefined, isLast = false; !isLast;) {
    const body = { ...filter, ...(after !== undefined && { after }), limit: AT_ONCE, confirm: true };
    const answer = await api.call({ app: APP, method: 'POST', path: `${PATH}/reprocess`, body });
    if (answer.kind !== 'answer') return failedReport(explainFailure(answer, say));
    const { stored, repeated, failed: left, next } = answer.body;
    counts.stored += Number(stored);
    counts.repeated += Number(repeated);
    if (Array.isArray(left)) failed.push(...left.filter(isEntry));
    isLast = typeof next !== 'string';
    after = isLast ? undefined : String(next);
  }
  const columns = (['Id', 'Reason', 'Detail'] as const).map((name) => [say(`col${name}`), name.toLowerCase()] as const);
  const sentence: Block = { kind: 'line', text: say('reprocessedAll', { ...counts, failed: failed.length }) };
  return {
    json: { confirmed: true, ...counts, failed },
    blocks: failed.length === 0 ? [sentence] : [sentence, tableOf(failed, columns, 'detail')],
    notes: [],
    exit: failed.length === 0 ? EXIT.done : EXIT.failed,
  };
}

function post(id: string, operation: 'reprocess' | 'discard', body: Entry = {}) {
  const path = `${PATH}/${encodeURIComponent(id)}/${operation}`;
  return { app: APP, method: 'POST', path, body } as const;
}
