import type { Action } from '../domain/action.ts';
import type { Entry } from '../domain/api.ts';
import { fieldsOf } from '../domain/cells.ts';
import { EXIT } from '../domain/exit-code.ts';
import type { Report } from '../domain/report.ts';
import { ask, type Session } from './session.ts';

type ActionOf<K extends Action['kind']> = Extract<Action, { kind: K }>;

const PATH = '/api/webhook-registration';

/** Registers, or unless confirmed has the app say what it would register (rule 37). */
export async function registerWebhook(session: Session, action: ActionOf<'webhook-register'>): Promise<Report> {
  const { say } = session;
  const { tenant, url, confirm } = action;
  const body = { tenant, url, ...(confirm ? { confirm: true } : {}) };
  return await ask(session, { app: 'webhook-ingest', method: 'POST', path: PATH, body }, (answer) => ({
    json: answer,
    blocks: [fieldsOf(answer), { kind: 'line', text: say(confirm ? 'registered' : 'registerDryRun') }],
    notes: [],
    exit: EXIT.done,
  }));
}

export async function webhookStatus(session: Session, { tenant }: ActionOf<'webhook-status'>): Promise<Report> {
  const request = { app: 'webhook-ingest', method: 'GET', path: PATH, query: { tenant } } as const;
  return await ask(session, request, (answer: Entry) => ({
    json: answer,
    blocks: [fieldsOf(answer)],
    notes: [],
    exit: EXIT.done,
  }));
}
