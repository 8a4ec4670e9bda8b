import { command, group } from '../command-line/command.ts';
import { choice, TENANT } from '../command-line/inputs.ts';
import { appsOf, wholeListOfApps } from '../command-line/list-of-apps.ts';
import { CONSUMERS } from '../operations-api/addresses.ts';
import type { Entry } from '../operations-api/operations-api.ts';

const LIST = {
  path: '/api/today',
  member: 'stuck',
  name: 'stuck',
  columns: {
    app: 'colApp',
    tenant: 'colTenant',
    kind: 'colKind',
    identity: 'colEntity',
    failures: 'colFailures',
    nextTryAt: 'colNextTry',
    commandIds: 'colOpen',
  },
  flexible: 'commandIds',
  row: ({ commandIds, ...lane }: Entry): Entry => ({
    ...lane,
    commandIds: Array.isArray(commandIds) ? commandIds.join(', ') : commandIds,
  }),
} as const;

/** Orders, products and others whose steps fail again and again: each app has its own. */
export const STUCK = group('stuck', {
  list: command({
    inputs: { app: choice('--app <app>', 'optApp', CONSUMERS), tenant: TENANT },
    task: ({ app, tenant }, given) => {
      const apps = appsOf(app, CONSUMERS, given);
      return (session) => wholeListOfApps(session, apps, { ...LIST, query: { tenant } });
    },
    examples: ['', '--tenant acme --json'],
  }),
});
