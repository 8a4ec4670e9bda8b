import { setTimeout as delay } from 'node:timers/promises';
import type { Session } from '../command-line/command.ts';
import { failureReport } from '../output/explain-failure.ts';
import type { ApiFailure, Entry } from '../operations-api/operations-api.ts';
import { requestTo } from '../operations-api/requests.ts';
import type { Report } from '../output/report.ts';
import { type LoadState, loadReport, loadState } from './load-state.ts';

/** The load to follow, and additions to its report. */
export interface Followed {
  readonly loadId: string;
  readonly tenant: string | undefined;
  /** Number of records of the complete load, for the progress. */
  readonly expected: number;
  readonly more?: Partial<Report>;
}

interface Patience {
  /** Milliseconds between two requests. */
  readonly everyMs: number;
  /** Number of requests without a change after which the wait ends. */
  readonly looks: number;
}

const PATIENCE: Patience = { everyMs: 1_000, looks: 120 };

/** Reads the state of a load once and shows it as progress. */
export async function lookAt(
  { api, progress }: Pick<Session, 'api' | 'progress'>,
  { loadId, tenant, expected }: Followed,
): Promise<{ readonly kind: 'seen'; readonly body: Entry; readonly state: LoadState } | ApiFailure> {
  const result = await api.call(requestTo('catalog loads/one', { loadId, tenant }));
  if (result.kind !== 'answer') return result;
  const state = loadState(result.body);
  if (state === null) return { ...result, kind: 'not-understood', status: 200 };
  progress({ done: Math.max(expected - state.open, 0), total: expected, label: loadId });
  return { kind: 'seen', body: result.body, state };
}

/**
 * Waits until every record of a load is concluded, or until nothing has changed for a while, such as when records
 * wait for missing references. The load continues in the app either way.
 */
export async function followLoad(
  session: Pick<Session, 'api' | 'progress' | 'say'>,
  followed: Followed,
  patience = PATIENCE,
): Promise<Report> {
  const { say } = session;
  const goesOn = say('loadGoesOn', { id: followed.loadId });
  let before = '';
  for (let quiet = 0; ; quiet += 1) {
    const seen = await lookAt(session, followed);
    if (seen.kind !== 'seen') {
      const report = failureReport(seen, say);
      return { ...report, notes: [...(followed.more?.notes ?? []), ...report.notes, goesOn] };
    }
    const { body, state } = seen;
    if (state.open === 0) return loadReport(body, state, say, followed.more);
    const now = JSON.stringify(state.counts);
    if (now !== before) quiet = 0;
    before = now;
    if (quiet >= patience.looks) {
      return loadReport(body, state, say, { ...followed.more, notes: [...(followed.more?.notes ?? []), goesOn] });
    }
    await delay(patience.everyMs);
  }
}
