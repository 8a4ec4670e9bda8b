import type { Command } from 'commander';
import { type Choose, examples } from '../command-line/command-help.adapter.ts';
import { choiceOf, filledOf, limitOf, WrongUsage } from '../command-line/option-values.ts';
import { ask, done, list, type Session, type Task } from '../command-line/task.ts';
import type { Entry } from '../operations-api/operations-api.ts';
import { cell, fieldsOf } from '../output/blocks.ts';
import { EXIT, type Report } from '../output/report.ts';
import type { Say } from '../texts/texts.ts';
import { showEntry } from './show-entry.ts';

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
    .command('reprocess <id>')
    .description(say('notificationsReprocess'))
    .usage(`<id> ${options}`)
    .action((id: string) => choose((session) => reprocess(session, id)));
  examples(reprocessing, say, ['notifications reprocess 17']);

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
      { app: 'webhook-ingest', path: '/api/quarantine', query, member: 'entries', limit },
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

function post(id: string, operation: 'reprocess' | 'discard', body: Entry = {}) {
  const path = `/api/quarantine/${encodeURIComponent(id)}/${operation}`;
  return { app: 'webhook-ingest', method: 'POST', path, body } as const;
}
