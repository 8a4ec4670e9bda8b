import { act, call, command, group, list } from '../command-line/command.ts';
import {
  argument,
  BEFORE,
  flag,
  LIMIT,
  NUMBER,
  option,
  optionalArgument,
  required,
  TENANT,
} from '../command-line/inputs.ts';
import { durationMsOf, orderNumberOf, wholeOf } from '../command-line/option-values.ts';
import { fieldsOf } from '../output/blocks.ts';
import { shown } from '../output/report.ts';
import { orderBlocks, timelineBlock, withTexts } from './order-blocks.ts';

const knownOrder = call('orders show', (order, { reveal }, say) =>
  shown(order, orderBlocks(order, say), [say(reveal ? 'revealWarning' : 'masked')]),
);

/** The answer of the core service as it is: its form is not documented. */
const coreDetails = call('orders show/details', (answer, _given, say) => {
  const cut = answer['truncated'] === true ? [say('detailsCut')] : [];
  return shown(answer, [{ kind: 'content', text: String(answer['details']) }], [say('revealWarning'), ...cut]);
});

const recoveries = list('orders recoveries', {
  columns: {
    id: 'colId',
    tenant: 'colTenant',
    from: { pt: 'DE', en: 'FROM' },
    to: { pt: 'ATÉ', en: 'TO' },
    candidates: { pt: 'CANDIDATOS', en: 'CANDIDATES' },
    found: { pt: 'ENCONTRADOS', en: 'FOUND' },
    givenUp: { pt: 'ABANDONADOS', en: 'GIVEN UP' },
    open: 'colOpen',
    perMinute: 'colPerMinute',
    estimatedEndAt: 'colEstimatedEnd',
  },
  flexible: 'tenant',
});

const recovery = call('orders recoveries/one');

/** The numbers that the platform did not know: no order, or one that is looked for by other means. */
const givenUpNumbers = list('orders recoveries/numbers', {
  columns: { orderNumber: 'colOrder', lookups: 'colAttempts', concludedAt: 'colTime' },
  flexible: 'orderNumber',
});

/** Starts a search for orders whose notifications were lost; the app continues it after this command ends. */
const beginRecovery = call('orders recover', (run, _given, say) =>
  shown(run, [fieldsOf(run)], [say('recoveryBegun', { id: String(run['id']) })]),
);

export const ORDERS = group('orders', {
  list: command({
    inputs: {
      tenant: TENANT,
      status: option(
        '--status <code>',
        { pt: 'código do status, por exemplo 400', en: 'code of the status, for example 400' },
        wholeOf,
      ),
      olderThanMs: option(
        '--older-than <time>',
        {
          pt: 'só os pedidos que estão no status há pelo menos 90m, 2h, 3d …',
          en: 'only orders that have been in their status for at least 90m, 2h, 3d …',
        },
        durationMsOf,
      ),
      attention: flag('--attention', {
        pt: 'só os pedidos que precisam de atenção',
        en: 'only orders that need attention',
      }),
      givenUp: flag('--given-up', {
        pt: 'só os pedidos que não são mais lidos na plataforma: 30 dias sem notícia deles',
        en: 'only orders no longer read at the platform: nothing was heard of them for 30 days',
      }),
      limit: LIMIT,
      before: BEFORE,
    },
    task: list('orders list', {
      columns: {
        id: 'colId',
        tenant: 'colTenant',
        orderNumber: 'colOrder',
        statusText: { pt: 'STATUS', en: 'STATUS' },
        statusSince: 'colSince',
        revision: { pt: 'REVISÃO', en: 'REVISION' },
        attentionText: { pt: 'ATENÇÃO', en: 'ATTENTION' },
      },
      flexible: 'statusText',
      row: withTexts,
    }),
    examples: [
      '--tenant acme',
      '--status 400 --older-than 2h',
      '--attention',
      '--given-up',
      '--status 750 --limit 500 --json',
    ],
  }),
  show: command({
    inputs: {
      number: NUMBER,
      tenant: TENANT,
      reveal: flag('--reveal', {
        pt: 'mostra os dados pessoais sem máscara; isso fica registrado',
        en: 'shows personal data unmasked; this is recorded',
      }),
      details: flag('--details', {
        pt: 'mostra, em vez disso, o pedido como o serviço core da plataforma o responde, com dados pessoais; isso fica registrado',
        en: 'shows, instead, the order as the core service of the platform answers it, with personal data; this is recorded',
      }),
    },
    task: ({ details, reveal, ...given }) => (details ? coreDetails(given) : knownOrder({ ...given, reveal })),
    examples: ['100234', '100234 --tenant acme --reveal', '100234 --details'],
  }),
  /** Gives the command that the ERP would give, as `release` does: what came of it, its result says. */
  refresh: command({
    inputs: { number: NUMBER, tenant: TENANT },
    task: act('orders refresh', {
      pt: 'O comando {commandId} pede a leitura do pedido {number}; veja o resultado dele: gondola commands show {commandId}',
      en: 'Command {commandId} requests a reading of order {number}; its result shows the outcome: gondola commands show {commandId}',
    }),
    examples: ['100234 --tenant acme'],
  }),
  release: command({
    inputs: { number: NUMBER, tenant: TENANT },
    task: act('orders release', {
      pt: 'O comando {commandId} pede a liberação do pedido {number}; o resultado dele mostra se o pedido foi criado: gondola commands show {commandId}',
      en: 'Command {commandId} requests the release of order {number}; its result shows whether the order is created: gondola commands show {commandId}',
    }),
    examples: ['100234 --tenant acme'],
  }),
  recover: command({
    inputs: {
      from: required(
        '--from <number>',
        { pt: 'primeiro número de pedido da faixa', en: 'first order number of the range' },
        orderNumberOf,
      ),
      to: required(
        '--to <number>',
        { pt: 'último número de pedido da faixa', en: 'last order number of the range' },
        orderNumberOf,
      ),
      tenant: TENANT,
    },
    task: ({ tenant, from, to }) => beginRecovery({ tenant, from: Number(from), to: Number(to) }),
    examples: ['--from 100200 --to 100300', '--tenant acme --from 1 --to 900'],
  }),
  recoveries: command({
    inputs: {
      id: optionalArgument('[id]'),
      tenant: TENANT,
      givenUp: flag('--given-up', {
        pt: 'os números da busca que a plataforma não conhecia',
        en: 'the numbers of the search that the platform did not know',
      }),
      limit: LIMIT,
      before: BEFORE,
    },
    task: ({ id, tenant, givenUp, limit, before }, refusing) => {
      if (id === undefined) return recoveries({ tenant }, refusing);
      return givenUp ? givenUpNumbers({ id, outcome: 'given-up', limit, before }, refusing) : recovery({ id });
    },
    examples: ['', '7 --json', '7 --given-up'],
  }),
});

/** The ERP's order commands. */
export const COMMANDS = group('commands', {
  show: command({
    inputs: { commandId: argument('<commandId>'), tenant: TENANT },
    task: call('commands show', (answer, _given, say) => {
      const { timeline, ...rest } = answer;
      const course = timelineBlock(timeline, say);
      return shown(answer, [fieldsOf(rest), ...(course === null ? [] : [course])]);
    }),
    examples: ['c-88', 'c-88 --tenant acme --json'],
  }),
  /** Gives the command that the ERP would give; its own result shows whether it was in time. */
  withdraw: command({
    inputs: { commandId: argument('<commandId>'), tenant: TENANT },
    task: act('commands withdraw', {
      pt: 'O comando {commandId} pede a retirada de {withdraws}; o resultado dele mostra se deu tempo: gondola commands show {commandId}',
      en: 'Command {commandId} requests the withdrawal of {withdraws}; its result shows whether it was in time: gondola commands show {commandId}',
    }),
    examples: ['c-88 --tenant acme'],
  }),
});
