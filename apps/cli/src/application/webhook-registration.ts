import type { Action } from '../domain/action.ts';
import { type Entry, isEntry } from '../domain/api.ts';
import { EXIT } from '../domain/exit-code.ts';
import { explainFailure, failedReport } from '../domain/explain-failure.ts';
import { registrationBlocks, registrationVerdict, stateBlocks } from '../domain/registration.ts';
import type { Block, Report } from '../domain/report.ts';
import { ask, type Session } from './session.ts';

type ActionOf<K extends Action['kind']> = Extract<Action, { kind: K }>;

const PATH = '/api/webhook-registration';

/** Registers, or unless confirmed has the app say what it would register (rule 37). */
export async function registerWebhook(session: Session, action: ActionOf<'webhook-register'>): Promise<Report> {
  const { tenant, url, confirm } = action;
  const body = { tenant, url, ...(confirm ? { confirm: true } : {}) };
  return await ask(session, { app: 'webhook-ingest', method: 'POST', path: PATH, body }, (answer) =>
    registrationReport(answer, session),
  );
}

/** Of one tenant or of all: what was registered from here, which the platform never tells again. */
export async function webhookStatus({ api, say }: Session, { tenant }: ActionOf<'webhook-status'>): Promise<Report> {
  const result = await api.call({ app: 'webhook-ingest', method: 'GET', path: PATH, query: { tenant } });
  if (result.kind !== 'answer') return failedReport(explainFailure(result, say));
  const { registrations } = result.body;
  if (!Array.isArray(registrations) || !registrations.every(isEntry))
    return failedReport(explainFailure({ ...result, kind: 'not-understood', status: 200 }, say));
  const blocks = registrations.flatMap((state): Block[] => [...stateBlocks(state, say), { kind: 'line', text: '' }]);
  return { json: result.body, blocks: blocks.slice(0, -1), notes: [], exit: EXIT.done };
}

/** What was not done is said on standard error, with the plan or the attempts above it. */
function registrationReport(answer: Entry, { say }: Session): Report {
  const { sentence, exit } = registrationVerdict(answer, say);
  const said: Block[] = exit === EXIT.done ? [{ kind: 'line', text: sentence }] : [];
  const notes = exit === EXIT.done ? [] : [sentence];
  return { json: answer, blocks: [...registrationBlocks(answer, say), ...said], notes, exit };
}
