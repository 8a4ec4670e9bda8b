import { gondolaTopic, REPLAYED_TOPICS, replayedTopic } from '@gondola/shared/topics/replayed-topics';
import { act, call, command, group, type Task } from '../command-line/command.ts';
import { appOf, argument, BEFORE, LIMIT, mandatory, option, required, TENANT } from '../command-line/inputs.ts';
import { listOfApps } from '../command-line/list-of-apps.ts';
import { filledOf, oneOf, orderNumberOf, type Read, wholeOf } from '../command-line/option-values.ts';
import { type AppOf, requestTo } from '../operations-api/requests.ts';
import { cell } from '../output/blocks.ts';
import { notBegunReport } from '../output/explain-failure.ts';
import { done } from '../output/report.ts';

type App = AppOf<'replay start'>;

const NAMES = REPLAYED_TOPICS.map(({ topic }) => topic);
/** A topic with or without its version. */
const topicOf: Read<string> = (text, name, say) =>
  replayedTopic(gondolaTopic(text) ?? text)?.topic ?? oneOf<string>(NAMES)(text, name, say);

const ONE = { id: argument('<id>'), app: mandatory(appOf('replay show')), tenant: TENANT };

function start(given: { readonly topic: string; readonly [field: string]: unknown }): Task {
  const app = replayedTopic(given.topic)!.app as App;
  return async ({ api, say }) => {
    const result = await api.call(requestTo('replay start', { app, ...given }));
    if (result.kind !== 'answer') return notBegunReport(result, say);
    const { id, topic, since, startedAt } = result.body;
    const values = { id: cell(id), topic: cell(topic), since: cell(since), startedAt: cell(startedAt), app };
    return done({ app, ...result.body }, say('replayStarted', values));
  };
}

/** Published records that are published again: each app has the replays of its own topics. */
export const REPLAY = group('replay', {
  start: command({
    isDefault: true,
    inputs: {
      topic: required(
        '--topic <topic>',
        { pt: 'tópico que a Gondola publica', en: 'topic that Gondola publishes' },
        topicOf,
      ),
      since: required(
        '--since <time>',
        {
          pt: 'desde quando, com fuso, como 2026-11-26T05:00:00-03:00',
          en: 'from when on, with its offset, such as 2026-11-26T08:00:00Z',
        },
        filledOf,
      ),
      order: option('--order <number>', { pt: 'só sobre este pedido', en: 'only about this order' }, orderNumberOf),
      tenant: TENANT,
      to: option('--to <topic>', { pt: 'tópico que os recebe no lugar', en: 'topic that gets them instead' }, filledOf),
      'per-second': option(
        '--per-second <n>',
        { pt: 'registros por segundo (padrão 200)', en: 'records in a second (default 200)' },
        wholeOf,
      ),
    },
    task: ({ order: orderNumber, 'per-second': pace, ...given }) =>
      start({ ...given, orderNumber, perSecond: pace === undefined ? undefined : Number(pace) }),
    examples: [
      '--topic erp.orders.events --since 2026-11-26T08:00:00Z',
      '--topic erp.orders.results --since 2026-11-26T05:00:00-03:00 --order 100042 --to erp.again',
    ],
  }),
  list: command({
    inputs: { app: appOf('replay list'), tenant: TENANT, limit: LIMIT, before: BEFORE },
    task: listOfApps('replay list', {
      member: 'entries',
      name: 'replays',
      newest: 'startedAt',
      columns: {
        app: 'colApp',
        id: 'colId',
        startedAt: 'colBegan',
        state: 'colState',
        sent: { pt: 'ENVIADOS', en: 'SENT' },
        read: { pt: 'LIDO', en: 'READ' },
        toRead: { pt: 'DE', en: 'OF' },
        topic: 'colTopic',
        to: { pt: 'PARA', en: 'TO' },
      },
      flexible: 'topic',
    }),
    examples: ['', '--app order-command-handler'],
  }),
  show: command({ inputs: ONE, task: call('replay show'), examples: ['3 --app order-command-handler'] }),
  stop: command({
    inputs: ONE,
    task: act('replay stop', {
      pt: 'A republicação {id} está {state}; enviados: {sent}.',
      en: 'Replay {id} is {state}; sent: {sent}.',
    }),
    examples: ['3 --app order-command-handler'],
  }),
  resume: command({
    inputs: ONE,
    task: act('replay resume', {
      pt: 'A republicação {id} está {state}; enviados: {sent}.',
      en: 'Replay {id} is {state}; sent: {sent}.',
    }),
    examples: ['3 --app order-command-handler'],
  }),
});
