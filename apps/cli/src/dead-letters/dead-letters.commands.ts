import type { Command } from 'commander';
import { type Choose, examples, group } from '../command-line/command-help.adapter.ts';
import { choiceOf, limitOf, WrongUsage } from '../command-line/option-values.ts';
import { ask, done, type Session } from '../command-line/task.ts';
import { type Consumer, CONSUMERS } from '../operations-api/addresses.ts';
import { explainFailure } from '../output/explain-failure.ts';
import { type Listed, listPages } from '../operations-api/list-pages.ts';
import type { Entry } from '../operations-api/operations-api.ts';
import { cell, tableOf } from '../output/blocks.ts';
import { type Block, EXIT, type Report } from '../output/report.ts';
import type { Say } from '../texts/texts.ts';
import { letterBlocks, withoutContent } from './dead-letter.ts';

const PATH = '/api/dead-letters';
const EXAMPLE_ID = 'gondola.order-command-handler/erp.orders.commands.v1/0/42';
const EXAMPLE_APP = 'order-command-handler';

export function deadLetterCommands(program: Command, say: Say, choose: Choose): void {
  const letters = group(program, 'dead-letters', say('deadLetters'), say);
  const optApp = say('optApp', { apps: CONSUMERS.join(', ') });

  const list = letters
    .command('list')
    .description(say('deadLettersList'))
    .usage(say('usageOptions'))
    .option('--app <app>', optApp)
    .option('--limit <n>', say('optLimit'))
    .action((given: { app?: string; limit?: string }, command: Command) => {
      const app = choiceOf('--app', given.app, CONSUMERS, say);
      const limit = limitOf(given.limit, say);
      if (app === undefined && command.optsWithGlobals<{ apiUrl?: string }>().apiUrl !== undefined)
        throw new WrongUsage(say('apiUrlWithoutApp'));
      choose((session) => listDeadLetters(session, app === undefined ? CONSUMERS : [app], limit));
    });
  examples(list, say, ['dead-letters list', `dead-letters list --app ${EXAMPLE_APP} --limit 200 --json`]);

  const show = letters
    .command('show <id>')
    .description(say('deadLettersShow'))
    .usage(`<id> ${say('usageOptions')}`)
    .requiredOption('--app <app>', optApp)
    .option('--body', say('optBody'))
    .action((id: string, given: { app: string; body?: true }) => {
      const app = consumerOf(given.app, say);
      choose((session) => showDeadLetter(session, app, id, given.body === true));
    });
  examples(show, say, [`dead-letters show ${EXAMPLE_ID} --app ${EXAMPLE_APP} --body`]);

  const redrive = letters
    .command('redrive <id>')
    .description(say('deadLettersRedrive'))
    .usage(`<id> ${say('usageOptions')}`)
    .requiredOption('--app <app>', optApp)
    .action((id: string, given: { app: string }) => {
      const app = consumerOf(given.app, say);
      choose((session) => redriveDeadLetter(session, app, id));
    });
  examples(redrive, say, [`dead-letters redrive ${EXAMPLE_ID} --app ${EXAMPLE_APP}`]);
}

function consumerOf(app: string, say: Say): Consumer {
  const consumer = choiceOf('--app', app, CONSUMERS, say);
  if (consumer === undefined) throw new WrongUsage(say('missingOption', { option: '--app' }));
  return consumer;
}

/**
 * Asks all apps at once, because each stores its own dead letters. If one does not answer, the others are still
 * listed.
 */
async function listDeadLetters({ api, say }: Session, apps: readonly Consumer[], limit: number): Promise<Report> {
  const results = await Promise.all(
    apps.map(async (app) => ({
      app,
      result: await listPages(api, { app, path: PATH, query: {}, member: 'deadLetters', limit }),
    })),
  );
  const listed = results.flatMap(({ app, result }) => (result.kind === 'listed' ? [{ app, ...result }] : []));
  const failed = results.flatMap(({ app, result }) =>
    result.kind === 'listed' ? [] : [{ app, ...explainFailure(result, say) }],
  );
  const all = newestFirst(listed);
  const deadLetters = all.slice(0, limit);
  const more = all.length > limit || listed.some(({ next }) => next !== null);
  const notes = failed.map(({ message }) => message);
  if (more) notes.push(say('moreLimit'));
  if (failed.length > 0 && listed.length > 0)
    notes.push(say('partly', { apps: failed.map(({ app }) => app).join(', ') }));
  return {
    json: { deadLetters, more, failed: failed.map(({ app, code, message }) => ({ app, code, message })) },
    blocks: listed.length === 0 ? [] : [table(deadLetters, say)],
    notes,
    exit: failed[0]?.exit ?? EXIT.done,
  };
}

async function showDeadLetter(session: Session, app: Consumer, id: string, body: boolean): Promise<Report> {
  const { say } = session;
  const query = body ? { query: { body: 'true' } } : {};
  return await ask(session, { app, method: 'GET', path: pathOf(id), ...query }, (letter) => ({
    json: body ? letter : withoutContent(letter),
    blocks: letterBlocks(letter, body, say),
    notes: [say(body ? 'bodyWarning' : 'contentHidden')],
    exit: EXIT.done,
  }));
}

/**
 * Makes the app publish its stored copy of the record, byte for byte, for its own consumer group (contract, "Dead
 * letters").
 */
async function redriveDeadLetter(session: Session, app: Consumer, id: string): Promise<Report> {
  return await ask(session, { app, method: 'POST', path: `${pathOf(id)}/redrive` }, (body) =>
    done({ app, ...body }, session.say('redriven', { app, times: cell(body['redriven']) })),
  );
}

function newestFirst(lists: ReadonlyArray<Listed & { app: Consumer }>): Entry[] {
  return lists
    .flatMap(({ app, entries }) => entries.map((entry): Entry => ({ app, ...entry })))
    .toSorted((one, other) => compare(String(other['deadAt']), String(one['deadAt'])));
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function table(letters: readonly Entry[], say: Say): Block {
  if (letters.length === 0) return { kind: 'line', text: say('none') };
  return tableOf(
    letters,
    [
      [say('colDeadAt'), 'deadAt'],
      [say('colApp'), 'app'],
      [say('colTenant'), 'tenant'],
      [say('colReason'), 'code'],
      [say('colRedriven'), 'redriven'],
      [say('colId'), 'id'],
      [say('colDetail'), 'reason'],
    ],
    'reason',
  );
}

function pathOf(id: string): string {
  return `${PATH}/${encodeURIComponent(id)}`;
}
