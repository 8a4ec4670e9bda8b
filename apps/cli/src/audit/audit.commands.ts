import { setTimeout as delay } from 'node:timers/promises';
import { act, command, group, list, type Session, type Task } from '../command-line/command.ts';
import { argument, flag, option, required, WAIT } from '../command-line/inputs.ts';
import { filledOf } from '../command-line/option-values.ts';
import { type ApiResult, entriesOf, type Entry, isEntry } from '../operations-api/operations-api.ts';
import { readList } from '../operations-api/read-list.ts';
import { requestTo } from '../operations-api/requests.ts';
import { cell, type Columns, csvBlock, fieldsOf, tableOf } from '../output/blocks.ts';
import { notBegunReport } from '../output/explain-failure.ts';
import { type Block, EXIT, line, type Report } from '../output/report.ts';
import type { Say } from '../texts/texts.ts';

const EVERY_MS = 1_000;
const MOST_ORDERS = 100_000;

const SHOP = option('--shop <tenant>', { pt: 'tenant da loja', en: 'tenant of the shop' });
const ID = argument('<id>');
const CSV = flag('--csv', {
  pt: 'escreve as diferenças como CSV na saída padrão',
  en: 'writes the differences as CSV to standard output',
});

/** Columns of a difference; the JSON document has the same names. */
const COLUMNS: Columns = {
  orderNumber: 'colOrder',
  kind: 'colKind',
  about: { pt: 'SOBRE', en: 'ABOUT' },
  shop: { pt: 'LOJA', en: 'SHOP' },
  published: { pt: 'PUBLICADO', en: 'PUBLISHED' },
  erp: { pt: 'ERP', en: 'ERP' },
};

const auditRow = ({ sums, ...audit }: Entry): Entry => ({ ...audit, ...(isEntry(sums) && sums) });

export const AUDIT = group('audit', {
  month: command({
    isDefault: true,
    inputs: {
      month: required('--month <yyyy-mm>', { pt: 'um mês que já acabou', en: 'a month that is over' }, filledOf),
      shop: SHOP,
      again: flag('--again', {
        pt: 'começa de novo se o fechamento do mês já terminou',
        en: 'begins anew if the audit of the month is finished',
      }),
      csv: CSV,
      wait: WAIT,
    },
    task: ({ month, shop, again, csv, wait }) =>
      followed((session) => session.api.call(requestTo('audit month', { tenant: shop, month, again })), wait, csv),
    examples: ['--month 2026-11', '--month 2026-11 --shop acme --csv', '--month 2026-11 --again --no-wait --json'],
  }),
  list: command({
    inputs: { tenant: SHOP },
    task: list('audit list', {
      columns: {
        id: 'colId',
        tenant: 'colTenant',
        month: { pt: 'MÊS', en: 'MONTH' },
        state: 'colState',
        orders: { pt: 'PEDIDOS', en: 'ORDERS' },
        differing: { pt: 'DIFEREM', en: 'DIFFER' },
        open: 'colOpen',
        estimatedEndAt: 'colEstimatedEnd',
      },
      flexible: 'tenant',
    }),
    examples: ['', '--shop acme --json'],
  }),
  show: command({
    inputs: { id: ID, csv: CSV },
    task: ({ id, csv }) => followed((session) => session.api.call(requestTo('audit show', { id })), false, csv),
    examples: ['7', '7 --csv', '7 --json'],
  }),
  stop: command({
    inputs: { id: ID },
    task: act('audit stop', { pt: 'O fechamento {id} está parado', en: 'Audit {id} is stopped' }),
    examples: ['7'],
  }),
  resume: command({
    inputs: { id: ID },
    task: act('audit resume', { pt: 'O fechamento {id} continua', en: 'Audit {id} goes on' }),
    examples: ['7'],
  }),
});

/** Asks for an audit, follows it to its end unless it is not to wait, and reports what it found so far. */
function followed(ask: (session: Session) => Promise<ApiResult>, wait: boolean, csv: boolean): Task {
  return async (session) => {
    const { api, say, progress } = session;
    for (let result = await ask(session); ; result = await api.call(requestTo('audit show', idOf(result)))) {
      if (result.kind !== 'answer') return notBegunReport(result, say);
      const { state, open, numbers } = result.body;
      if (wait && state === 'running') {
        progress({ done: Number(numbers) - Number(open), total: Number(numbers) });
        await delay(EVERY_MS);
        continue;
      }
      const given = idOf(result);
      const listed = await readList(api, 'audit show/differences', given, MOST_ORDERS);
      if (listed.kind !== 'listed') return notBegunReport(listed, say);
      return reportOf(result.body, listed.entries, say, csv);
    }
  };
}

function idOf(result: ApiResult): { readonly id: string } {
  return { id: result.kind === 'answer' ? cell(result.body['id']) : '' };
}

function reportOf(audit: Entry, orders: readonly Entry[], say: Say, csv: boolean): Report {
  const rows = orders.flatMap(({ orderNumber, differences }) =>
    entriesOf(differences).map((each): Entry => ({ orderNumber, ...each })),
  );
  const { kinds, ...rest } = audit;
  const ofKinds = Object.fromEntries(entriesOf(kinds).map(({ kind, differences }) => [String(kind), differences]));
  const table: Block[] = rows.length === 0 ? [] : [tableOf(say, COLUMNS, rows, 'about')];
  const isGoingOn = audit['state'] === 'running';
  return {
    json: { ...audit, entries: orders },
    blocks: csv
      ? [csvBlock(Object.keys(COLUMNS), rows)]
      : [fieldsOf({ ...auditRow(rest), ...ofKinds }), line(''), ...table],
    notes: isGoingOn ? [say('auditGoesOn', { id: cell(audit['id']) })] : [],
    exit: audit['state'] === 'finished' && orders.length > 0 ? EXIT.failed : EXIT.done,
  };
}
