import type { Action } from '../domain/action.ts';
import type { Entry } from '../domain/api.ts';
import { cell, fieldsOf } from '../domain/cells.ts';
import { EXIT } from '../domain/exit-code.ts';
import type { Report } from '../domain/report.ts';
import { listEntries } from './list-entries.ts';
import { ask, type Session } from './session.ts';

type ActionOf<K extends Action['kind']> = Extract<Action, { kind: K }>;

export async function listQuarantine(
  session: Session,
  { filters, limit }: ActionOf<'quarantine-list'>,
): Promise<Report> {
  const { say } = session;
  return await listEntries(
    session,
    { app: 'webhook-ingest', path: '/api/quarantine', query: filters, member: 'entries', limit },
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

/** Has an entry read again. One that still is not understood is no success. */
export async function reprocess(session: Session, { id }: ActionOf<'quarantine-reprocess'>): Promise<Report> {
  return await ask(session, post(`${pathOf(id)}/reprocess`), (body) => reprocessed(id, body, session));
}

export async function discard(session: Session, { id, note }: ActionOf<'quarantine-discard'>): Promise<Report> {
  return await ask(session, post(`${pathOf(id)}/discard`, { note }), (body) => ({
    json: { id, ...body },
    blocks: [{ kind: 'line', text: session.say('discarded', { id }) }],
    notes: [],
    exit: EXIT.done,
  }));
}

function reprocessed(id: string, body: Entry, { say }: Session): Report {
  const json = { id, ...body };
  const said = (text: string): Pick<Report, 'json' | 'blocks'> => ({ json, blocks: [{ kind: 'line', text }] });
  switch (body['outcome']) {
    case 'stored':
      return { ...said(say('stored', { id })), notes: [], exit: EXIT.done };
    case 'repeated':
      return { ...said(say('repeated', { id })), notes: [], exit: EXIT.done };
    case 'still-quarantined': {
      const sentence = say('stillQuarantined', { id, reason: cell(body['reason']) });
      return { json, blocks: [], notes: [sentence], exit: EXIT.failed };
    }
    default:
      return { json, blocks: [fieldsOf(json)], notes: [], exit: EXIT.done };
  }
}

function pathOf(id: string): string {
  return `/api/quarantine/${encodeURIComponent(id)}`;
}

function post(path: string, body: Entry = {}) {
  return { app: 'webhook-ingest', method: 'POST', path, body } as const;
}
