import { call, command, group } from '../command-line/command.ts';
import { choice, type Input, option, TENANT } from '../command-line/inputs.ts';
import { appsOf, wholeListOfApps } from '../command-line/list-of-apps.ts';
import { type Consumer, CONSUMERS } from '../operations-api/addresses.ts';
import { type Entry, entriesOf } from '../operations-api/operations-api.ts';
import { done } from '../output/report.ts';

const PATH = '/api/pauses';
const APP = choice('--app <app>', 'optApp', CONSUMERS);
const ONE_APP = { ...APP, isRequired: true } as Input<Consumer>;
const LIST = {
  path: PATH,
  member: 'entries',
  name: 'pauses',
  columns: {
    app: 'colApp',
    tenant: 'colTenant',
    route: 'colRoute',
    cause: 'colCause',
    since: 'colSince',
    until: 'colUntil',
    replica: 'colReplica',
  },
  flexible: 'route',
} as const;

interface Asked {
  readonly tenant: string | undefined;
  readonly route: string | undefined;
}

/** Pauses of the calls to the platform. Each app has its own, so ending them names one. */
export const PAUSES = group('pauses', {
  list: command({
    inputs: { app: APP, tenant: TENANT },
    task: ({ app, tenant }, given) => {
      const row = ({ route, ...pause }: Entry): Entry => ({ ...pause, route: route ?? given.say('pauseOfAll') });
      const apps = appsOf(app, CONSUMERS, given);
      return (session) => wholeListOfApps(session, apps, { ...LIST, query: { tenant }, row });
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
