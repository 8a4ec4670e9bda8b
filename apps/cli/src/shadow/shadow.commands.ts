import { command, group } from '../command-line/command.ts';
import { appOf, choice, flag, LIMIT, TENANT } from '../command-line/inputs.ts';
import { listOfApps } from '../command-line/list-of-apps.ts';
import { CONSUMERS } from '../operations-api/addresses.ts';
import type { Entry } from '../operations-api/operations-api.ts';
import { csvBlock } from '../output/blocks.ts';

const KINDS = ['late', 'another-value', 'only-old', 'only-gondola', 'not-comparable'] as const;
const KIND = { pt: 'TIPO', en: 'KIND' };
const COLUMNS = [
  'app',
  'tenant',
  'kind',
  'route',
  'entity',
  'commandId',
  'gondola',
  'shop',
  'why',
  'lateMs',
  'at',
] as const;
/** As many as a list may have. */
const MOST_ROWS = '10000';

const listed = listOfApps('shadow differences', {
  apps: CONSUMERS,
  member: 'entries',
  name: 'differences',
  newest: 'at',
  columns: {
    at: 'colTime',
    app: 'colApp',
    tenant: 'colTenant',
    kind: KIND,
    entity: 'colEntity',
    route: { pt: 'ROTA', en: 'ROUTE' },
    commandId: 'colCommand',
    gondola: { pt: 'GONDOLA', en: 'GONDOLA' },
    shop: { pt: 'LOJA', en: 'SHOP' },
  },
  flexible: 'gondola',
});

/** The comparison of tenants in shadow: each app that consumes has its own. */
export const SHADOW = group('shadow', {
  show: command({
    inputs: { app: appOf('shadow show', CONSUMERS), tenant: TENANT },
    task: listOfApps('shadow show', {
      apps: CONSUMERS,
      member: 'counts',
      columns: { app: 'colApp', tenant: 'colTenant', kind: KIND, count: { pt: 'QUANTOS', en: 'COUNT' } },
      flexible: 'kind',
    }),
    examples: ['', '--tenant acme --json'],
  }),
  differences: command({
    inputs: {
      app: appOf('shadow differences', CONSUMERS),
      tenant: TENANT,
      kind: choice(
        '--kind <kind>',
        { pt: 'só as deste tipo: {choices}', en: 'only those of this kind: {choices}' },
        KINDS,
      ),
      limit: LIMIT,
      csv: flag('--csv', {
        pt: 'escreve todas como CSV na saída padrão, com os dois lados',
        en: 'writes all of them as CSV to standard output, with both sides',
      }),
    },
    task: ({ csv, limit, ...given }, refusing) => {
      const list = listed({ ...given, limit: csv ? MOST_ROWS : limit }, refusing);
      if (!csv) return list;
      return async (session) => {
        const { json, ...report } = await list(session);
        const { differences } = json as { readonly differences: readonly Entry[] };
        return { ...report, json, blocks: [csvBlock(COLUMNS, differences)] };
      };
    },
    examples: ['', '--kind only-gondola --tenant acme', '--csv'],
  }),
});
