import { command, group, type Task } from '../command-line/command.ts';
import { appOf, choice, LIMIT, option, TENANT } from '../command-line/inputs.ts';
import { listOfApps } from '../command-line/list-of-apps.ts';
import { CONSUMERS } from '../operations-api/addresses.ts';
import type { Entry } from '../operations-api/operations-api.ts';
import { failedReport } from '../output/explain-failure.ts';
import { EXIT, line } from '../output/report.ts';
import { csvOf } from './csv-of.ts';
import { writeTable } from './write-table.adapter.ts';

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
      csv: option('--csv <file>', {
        pt: 'escreve todas em um arquivo CSV novo, com os dois lados',
        en: 'writes all of them to a new CSV file, with both sides',
      }),
    },
    task: ({ csv, limit, ...given }, refusing) => {
      const list = listed({ ...given, limit: csv === undefined ? limit : MOST_ROWS }, refusing);
      return csv === undefined ? list : toFile(list, csv);
    },
    examples: ['', '--kind only-gondola --tenant acme', '--csv diferencas.csv'],
  }),
});

/** Writes what a list has into a new file. */
function toFile(list: Task, path: string): Task {
  return async (session) => {
    const { json, notes, exit } = await list(session);
    const { differences } = json as { readonly differences: readonly Entry[] };
    const problem = await writeTable(path, csvOf(COLUMNS, differences));
    if (problem !== null) {
      const message = session.say({
        pt: `Não é possível escrever o arquivo ${path} (${problem}): indique um nome novo em uma pasta que existe.`,
        en: `The file ${path} cannot be written (${problem}): give a new name in a folder that exists.`,
      });
      return failedReport({ code: 'FILE_NOT_WRITTEN', message, exit: EXIT.usage });
    }
    const count = differences.length;
    const text = session.say({
      pt: `Diferenças escritas em ${path}: ${count}.`,
      en: `Differences written to ${path}: ${count}.`,
    });
    return { json: { file: path, count }, blocks: [line(text)], notes, exit };
  };
}
