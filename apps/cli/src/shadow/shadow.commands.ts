import { command, group } from '../command-line/command.ts';
import { appOf, choice, flag, LIMIT, mandatory, option, TENANT } from '../command-line/inputs.ts';
import { listOfApps } from '../command-line/list-of-apps.ts';
import { CONSUMERS } from '../operations-api/addresses.ts';
import type { Entry } from '../operations-api/operations-api.ts';
import { csvBlock } from '../output/blocks.ts';
import { MODE_COLUMNS, modeRow, switchShadow } from './switch-shadow.ts';

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

const FROM = mandatory(
  option('--from <time>', {
    pt: 'horário a partir do qual vale, daqui a um minuto ou mais, ou um minuto depois de shadow hold, por exemplo 2026-12-01T03:00:00-03:00',
    en: 'time from which on it counts, a minute ahead or more, or a minute after shadow hold, for example 2026-12-01T03:00:00-03:00',
  }),
);

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

/** The comparison of tenants in shadow, of which each app that consumes has its own, and the switch. */
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
  modes: command({
    inputs: { app: appOf('shadow modes'), tenant: TENANT },
    task: listOfApps('shadow modes', {
      member: 'entries',
      name: 'modes',
      columns: MODE_COLUMNS,
      flexible: 'points',
      row: modeRow,
    }),
    examples: ['', '--tenant acme'],
  }),
  hold: command({
    inputs: { tenant: TENANT },
    task: (given) => switchShadow('shadow hold', given),
    examples: ['--tenant acme'],
  }),
  release: command({
    inputs: { tenant: TENANT },
    task: (given) => switchShadow('shadow release', given),
    examples: ['--tenant acme'],
  }),
  live: command({
    inputs: { tenant: TENANT, from: FROM },
    task: (given) => switchShadow('shadow live', given),
    examples: ['--tenant acme --from 2026-12-01T03:00:00-03:00'],
  }),
  begin: command({
    inputs: { tenant: TENANT, from: FROM },
    task: (given) => switchShadow('shadow begin', given),
    examples: ['--tenant acme --from 2026-12-01T03:00:00-03:00'],
  }),
});
