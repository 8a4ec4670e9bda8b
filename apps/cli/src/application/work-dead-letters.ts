import type { Action } from '../domain/action.ts';
import { CONSUMERS, type Consumer } from '../domain/addresses.ts';
import type { ApiFailure, ApiRequest, Entry } from '../domain/api.ts';
import { cell, tableOf } from '../domain/cells.ts';
import { letterBlocks, withoutContent } from '../domain/dead-letter.ts';
import { EXIT } from '../domain/exit-code.ts';
import { explainFailure } from '../domain/explain-failure.ts';
import type { Report } from '../domain/report.ts';
import { type Listed, listPages } from './list-pages.ts';
import { ask, type Session } from './session.ts';

type ActionOf<K extends Action['kind']> = Extract<Action, { kind: K }>;

/** Each app keeps its own: all are asked at once, and one that does not answer hides none of the others. */
export async function listDeadLetters(session: Session, action: ActionOf<'dead-letters-list'>): Promise<Report> {
  const { api, say } = session;
  const { limit } = action;
  const path = '/api/dead-letters';
  const results = await Promise.all(
    (action.app === undefined ? CONSUMERS : [action.app]).map(async (app) => ({
      app,
      result: await listPages(api, { app, path, query: {}, member: 'deadLetters', limit }),
    })),
  );
  const listed = results.flatMap(({ app, result }) => (result.kind === 'listed' ? [{ app, ...result }] : []));
  const failed = results.flatMap(({ app, result }) =>
    result.kind === 'listed' ? [] : [failure(app, result, session)],
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
    blocks:
      listed.length === 0
        ? []
        : [deadLetters.length === 0 ? { kind: 'line', text: say('none') } : table(deadLetters, session)],
    notes,
    exit: failed[0]?.exit ?? EXIT.done,
  };
}

export async function showDeadLetter(
  session: Session,
  { app, id, body }: ActionOf<'dead-letter-show'>,
): Promise<Report> {
  const { say } = session;
  const request: ApiRequest = { app, method: 'GET', path: pathOf(id), ...(body ? { query: { body: 'true' } } : {}) };
  return await ask(session, request, (letter) => ({
    json: body ? letter : withoutContent(letter),
    blocks: letterBlocks(letter, body, say),
    notes: [say(body ? 'bodyWarning' : 'contentHidden')],
    exit: EXIT.done,
  }));
}

/** The app sends its own copy of the record, byte for byte, for its consumer group alone (contract, "Dead letters"). */
export async function redriveDeadLetter(
  session: Session,
  { app, id }: ActionOf<'dead-letter-redrive'>,
): Promise<Report> {
  const request: ApiRequest = { app, method: 'POST', path: `${pathOf(id)}/redrive` };
  return await ask(session, request, (body) => ({
    json: { app, ...body },
    blocks: [{ kind: 'line', text: session.say('redriven', { app, times: cell(body['redriven']) }) }],
    notes: [],
    exit: EXIT.done,
  }));
}

function failure(app: Consumer, result: ApiFailure, { say }: Session) {
  return { app, ...explainFailure(result, say) };
}

function newestFirst(lists: ReadonlyArray<Listed & { app: Consumer }>): Entry[] {
  return lists
    .flatMap(({ app, entries }) => entries.map((entry): Entry => ({ app, ...entry })))
    .toSorted((one, other) => compare(deadAt(other), deadAt(one)));
}

function deadAt(entry: Entry): string {
  return String(entry['deadAt']);
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function table(letters: readonly Entry[], { say }: Session) {
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
  return `/api/dead-letters/${encodeURIComponent(id)}`;
}
