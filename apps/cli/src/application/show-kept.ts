import type { Entry } from '../domain/api.ts';
import { fieldsOf } from '../domain/cells.ts';
import { contentBlocks } from '../domain/content.ts';
import { EXIT } from '../domain/exit-code.ts';
import type { Report } from '../domain/report.ts';
import { ask, type Session } from './session.ts';

export interface Kept {
  readonly of: 'notifications' | 'quarantine';
  readonly id: string;
  /** With its content, which may be personal. */
  readonly body: boolean;
}

/** A notification or an entry of the quarantine. Its content is asked for, and shown, only if that is wanted. */
export async function showKept(session: Session, { of, id, body }: Kept): Promise<Report> {
  return await ask(
    session,
    {
      app: 'webhook-ingest',
      method: 'GET',
      path: `/api/${of}/${encodeURIComponent(id)}`,
      ...(body ? { query: { body: 'true' } } : {}),
    },
    (entry) => (body ? withContent(entry, session) : withoutContent(entry, session)),
  );
}

function withContent(entry: Entry, { say }: Session): Report {
  const { bodyBase64, ...rest } = entry;
  if (typeof bodyBase64 !== 'string')
    return { json: entry, blocks: [fieldsOf(rest)], notes: [say('contentGone')], exit: EXIT.done };
  const blocks = [fieldsOf(rest), ...contentBlocks(bodyBase64, say)];
  return { json: entry, blocks, notes: [say('bodyWarning')], exit: EXIT.done };
}

function withoutContent(entry: Entry, { say }: Session): Report {
  const { bodyBase64: _hidden, ...rest } = entry;
  return { json: rest, blocks: [fieldsOf(rest)], notes: [say('contentHidden')], exit: EXIT.done };
}
