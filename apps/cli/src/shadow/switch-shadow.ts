import type { Task } from '../command-line/command.ts';
import type { AppName } from '../operations-api/addresses.ts';
import type { ApiFailure, Entry, OperationsApi } from '../operations-api/operations-api.ts';
import { appsOf, type GivenOf, requestTo } from '../operations-api/requests.ts';
import { tableOf } from '../output/blocks.ts';
import { explainFailure, failureReport, notBegunReport } from '../output/explain-failure.ts';
import { EXIT } from '../output/report.ts';
import type { Say } from '../texts/texts.ts';

export type SwitchRoute = 'shadow hold' | 'shadow release' | 'shadow live' | 'shadow begin';

interface Switched {
  readonly app: AppName;
  readonly result: Entry | ApiFailure;
}

export const MODE_COLUMNS = {
  app: 'colApp',
  tenant: 'colTenant',
  mode: { pt: 'MODO AGORA', en: 'MODE NOW' },
  heldSince: { pt: 'SEGURADA DESDE', en: 'HELD SINCE' },
  points: { pt: 'PONTOS', en: 'POINTS' },
} as const;

/** A row of `MODE_COLUMNS`. */
export function modeRow(entry: Entry): Entry {
  const points = entry['points'] as readonly { readonly mode: string; readonly from: string }[];
  return { ...entry, points: points.map(({ mode, from }) => `${mode} ${from}`).join(', ') };
}

/**
 * The task of a command that changes the mode of a tenant in every app, one after the other: each has its own points.
 * All are asked first, so that nothing is begun while one does not answer; the same command may be given again.
 */
export function switchShadow(route: SwitchRoute, given: Omit<GivenOf<SwitchRoute>, 'app'>): Task {
  return async ({ api, say }) => {
    for (const app of appsOf('shadow modes')) {
      const asked = await api.call(requestTo('shadow modes', { app }));
      if (asked.kind !== 'answer') return failureReport(asked, say);
    }
    const switched = await switchAll(api, route, given);
    const [first] = switched;
    if (first !== undefined && isFailure(first.result)) return notBegunReport(first.result, say);
    const done = switched.flatMap(({ app, result }) => (isFailure(result) ? [] : [{ app, ...result }]));
    const failed = switched.flatMap(({ app, result }) =>
      isFailure(result) ? [{ app, ...explainFailure(result, say) }] : [],
    );
    return {
      json: { modes: done, failed: failed.map(({ app, code, message }) => ({ app, code, message })) },
      blocks: [tableOf(say, MODE_COLUMNS, done.map(modeRow), 'points')],
      notes: notesOf(failed, say),
      exit: failed[0]?.exit ?? EXIT.done,
    };
  };
}

async function switchAll(
  api: OperationsApi,
  route: SwitchRoute,
  given: Omit<GivenOf<SwitchRoute>, 'app'>,
): Promise<readonly Switched[]> {
  const switched: Switched[] = [];
  for (const app of appsOf(route)) {
    const result = await api.call(requestTo(route, { ...given, app }));
    switched.push({ app, result: result.kind === 'answer' ? result.body : result });
    // The others would refuse the same, such as a wrong time.
    if (result.kind !== 'answer') break;
  }
  return switched;
}

function notesOf(failed: readonly { readonly message: string }[], say: Say): string[] {
  if (failed.length === 0) return [];
  const partly = say({
    pt: 'ATENÇÃO: só os aplicativos acima mudaram. Corrija o motivo e repita o mesmo comando antes do horário; ou segure a loja com gondola shadow hold.',
    en: 'CAUTION: only the apps above have changed. Mend the cause and give the same command again before its time; or hold the shop with gondola shadow hold.',
  });
  return [...failed.map(({ message }) => message), partly];
}

function isFailure(result: Entry | ApiFailure): result is ApiFailure {
  return 'request' in result;
}
