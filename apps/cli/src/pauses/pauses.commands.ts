import { call, command, group, type Session } from '../command-line/command.ts';
import { choice, type Input, option, TENANT } from '../command-line/inputs.ts';
import { reportOfApps } from '../command-line/list-of-apps.ts';
import { WrongUsage } from '../command-line/option-values.ts';
import { type Consumer, CONSUMERS } from '../operations-api/addresses.ts';
import { type Entry, entriesOf } from '../operations-api/operations-api.ts';
import { tableOrNone } from '../output/blocks.ts';
import { explainFailure } from '../output/explain-failure.ts';
import { done, type Report } from '../output/report.ts';

const PATH = '/api/pauses';
const APP = choice('--app <app>', 'optApp', CONSUMERS);
const ONE_APP = { ...APP, isRequired: true } as Input<Consumer>;
const COLUMNS = {
  app: 'colApp',
  tenant: 'colTenant',
  route: 'colRoute',
  cause: 'colCause',
  since: 'colSince',
  until: 'colUntil',
  replica: 'colReplica',
} as const;

interface Asked {
  readonly tenant: string | undefined;
  readonly route: string | undefined;
}

/** Pauses of the calls to the platform. Each app has its own, so ending them names one. */
export const PAUSES = group('pauses', {
  list: command({
    inputs: { app: APP, tenant: TENANT },
    task: ({ app, tenant }, { apiUrl, say }) => {
      if (app === undefined && apiUrl !== undefined) throw new WrongUsage(say('apiUrlWithoutApp'));
      return (session) => listPauses(session, app === undefined ? CONSUMERS : [app], tenant);
    },
    examples: ['', '--tenant acme --json'],
  }),
  end: command({
    inputs: { app: ONE_APP, tenant: TENANT, route: option('--route <route>', 'optPauseRoute') },
    task: ({ app, tenant, route }) =>
      call<Asked>(app, 'POST', `${PATH}/end`, (answer, _given, say) =>
        done({ app, ...answer }, say('pausesEnded', { count: String(entriesOf(answer['ended']).length), app })),
      )({ tenant, route }),
    examples: ['--app order-command-handler --tenant acme', '--app catalog-publisher --tenant acme --route getProduct'],
  }),
});

/** If an app does not answer, those of the others are still listed. */
async function listPauses(
  { api, say }: Session,
  apps: readonly Consumer[],
  tenant: string | undefined,
): Promise<Report> {
  const query = tenant === undefined ? {} : { tenant };
  const answers = await Promise.all(
    apps.map(async (app) => ({ app, result: await api.call({ app, method: 'GET', path: PATH, query }) })),
  );
  const pauses = answers.flatMap(({ app, result }) =>
    result.kind === 'answer' ? entriesOf(result.body['entries']).map((entry): Entry => ({ app, ...entry })) : [],
  );
  const failed = answers.flatMap(({ app, result }) =>
    result.kind === 'answer' ? [] : [{ app, ...explainFailure(result, say) }],
  );
  const rows = pauses.map(({ route, ...pause }): Entry => ({ ...pause, route: route ?? say('pauseOfAll') }));
  const table = failed.length === apps.length ? null : tableOrNone(say, COLUMNS, rows, 'route');
  return reportOfApps(say, { json: { pauses }, table, failed });
}
