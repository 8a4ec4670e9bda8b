import { command, group } from '../command-line/command.ts';
import { appOf, TENANT } from '../command-line/inputs.ts';
import { listOfApps } from '../command-line/list-of-apps.ts';
import { CONSUMERS } from '../operations-api/addresses.ts';

/** Orders, products and others whose steps fail again and again: each app that consumes has its own. */
export const STUCK = group('stuck', {
  list: command({
    inputs: { app: appOf('stuck list', CONSUMERS), tenant: TENANT },
    task: listOfApps('stuck list', {
      apps: CONSUMERS,
      member: 'stuck',
      columns: {
        app: 'colApp',
        tenant: 'colTenant',
        kind: 'colKind',
        identity: 'colEntity',
        failures: 'colFailures',
        nextTryAt: { pt: 'PRÓXIMA TENTATIVA', en: 'NEXT TRY' },
        commandIds: 'colOpen',
      },
      flexible: 'commandIds',
      row: ({ commandIds, ...lane }) => ({
        ...lane,
        commandIds: Array.isArray(commandIds) ? commandIds.join(', ') : commandIds,
      }),
    }),
    examples: ['', '--tenant acme --json'],
  }),
});
