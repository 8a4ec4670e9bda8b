import { act, command, group } from '../command-line/command.ts';
import { appOf, mandatory, option, TENANT } from '../command-line/inputs.ts';
import { listOfApps } from '../command-line/list-of-apps.ts';
import { entriesOf } from '../operations-api/operations-api.ts';

/** Pauses of the calls to the platform. Each app has its own, so ending them names one. */
export const PAUSES = group('pauses', {
  list: command({
    inputs: { app: appOf('pauses list'), tenant: TENANT },
    task: listOfApps('pauses list', {
      member: 'entries',
      name: 'pauses',
      columns: {
        app: 'colApp',
        tenant: 'colTenant',
        route: { pt: 'ROTA', en: 'ROUTE' },
        cause: { pt: 'CAUSA', en: 'CAUSE' },
        since: 'colSince',
        until: 'colUntil',
        replica: { pt: 'RÉPLICA', en: 'REPLICA' },
      },
      flexible: 'route',
      row: ({ route, ...pause }, say) => ({
        ...pause,
        route: route ?? say({ pt: 'todas as chamadas', en: 'all calls' }),
      }),
    }),
    examples: ['', '--tenant acme --json'],
  }),
  end: command({
    inputs: {
      app: mandatory(appOf('pauses end')),
      tenant: TENANT,
      route: option('--route <route>', {
        pt: 'só a pausa desta rota, como pauses list a mostra (padrão: todas do tenant)',
        en: 'only the pause of this route, as pauses list shows it (default: all of the tenant)',
      }),
    },
    task: act(
      'pauses end',
      {
        pt: '{count} pausas encerradas em {app}; cada réplica faz uma chamada de teste em cerca de um segundo.',
        en: '{count} pauses ended in {app}; each replica makes one trial call within about a second.',
      },
      {
        names: ({ ended }) => ({ count: entriesOf(ended).length }),
        document: (answer, { app }) => ({ app, ...answer }),
      },
    ),
    examples: ['--app order-command-handler --tenant acme', '--app catalog-publisher --tenant acme --route getProduct'],
  }),
});
