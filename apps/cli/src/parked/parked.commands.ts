import { ask, command, group, type Session } from '../command-line/command.ts';
import {
  choice,
  CONFIRM,
  type Given,
  type Input,
  LIMIT,
  option,
  optionalArgument,
  TENANT,
} from '../command-line/inputs.ts';
import { appsOf, listOfApps } from '../command-line/list-of-apps.ts';
import { limitOf, WrongUsage } from '../command-line/option-values.ts';
import { type Connector, CONNECTORS } from '../operations-api/addresses.ts';
import { entriesOf } from '../operations-api/operations-api.ts';
import { tableOrNone } from '../output/blocks.ts';
import { failureReport } from '../output/explain-failure.ts';
import { done, type Report, shown } from '../output/report.ts';

const PATH = '/api/parked';
const APP = choice('--app <app>', 'optApp', CONNECTORS);
const ONE_APP = { ...APP, isRequired: true } as Input<Connector>;
const FILTER = {
  tenant: TENANT,
  topic: option('--topic <topic>', 'optParkedTopic'),
  reason: option('--reason <code>', 'optParkedReason'),
};
const LIST = {
  path: PATH,
  member: 'entries',
  name: 'parked',
  time: 'parkedAt',
  columns: {
    parkedAt: 'colParkedAt',
    app: 'colApp',
    tenant: 'colTenant',
    reason: 'colReason',
    bytes: 'colBytes',
    topic: 'colTopic',
    id: 'colId',
    subject: 'colSubject',
  },
  flexible: 'subject',
} as const;

/** Records that Kafka does not accept as they are: each app has its own. */
export const PARKED = group('parked', {
  list: command({
    inputs: { app: APP, ...FILTER, limit: LIMIT },
    task: ({ app, limit: text, ...query }, given) => {
      const limit = limitOf(text, given.say);
      const apps = appsOf(app, CONNECTORS, given);
      return (session) => listOfApps(session, apps, { ...LIST, query, limit });
    },
    examples: ['', '--app order-command-handler --reason MESSAGE_TOO_LARGE --json'],
  }),
  /** Makes the app send one again, or all that match; without `--confirm` the latter only counts them. */
  release: command({
    inputs: { id: optionalArgument('[id]'), app: ONE_APP, ...FILTER, confirm: CONFIRM },
    task: ({ id, app, confirm, ...filter }, { say }) => {
      const [given] = Object.entries(filter).find(([, value]) => value !== undefined) ?? [];
      if (id === undefined)
        return (session) => (confirm ? releaseAll(session, app, filter) : countParked(session, app, filter));
      if (given !== undefined) throw new WrongUsage(say('idWithFilters', { option: `--${given}` }));
      return (session) =>
        ask(session, { app, method: 'POST', path: `${PATH}/${encodeURIComponent(id)}/release` }, (answer) =>
          done({ app, ...answer }, session.say('parkedReleased', { count: 1, app })),
        );
    },
    examples: [
      '17 --app order-command-handler',
      '--app webhook-ingest --reason INVALID_TIMESTAMP',
      '--app webhook-ingest --reason INVALID_TIMESTAMP --confirm',
    ],
  }),
});

type Filter = Given<typeof FILTER>;

/** Counts the records that would be released, by tenant, reason and topic. */
async function countParked({ api, say }: Session, app: Connector, { tenant, topic, reason }: Filter): Promise<Report> {
  const answer = await api.call({ app, method: 'GET', path: `${PATH}/groups`, query: { tenant } });
  if (answer.kind !== 'answer') return failureReport(answer, say);
  const groups = entriesOf(answer.body['groups']).filter(
    (group) => [undefined, group['topic']].includes(topic) && [undefined, group['reason']].includes(reason),
  );
  const columns = { tenant: 'colTenant', reason: 'colReason', topic: 'colTopic', count: 'colCount' } as const;
  return shown({ app, confirmed: false, groups }, [tableOrNone(say, columns, groups, 'topic')], [say('parkedDryRun')]);
}

/** Releases all that match, as many requests as that takes. */
async function releaseAll({ api, say }: Session, app: Connector, filter: Filter): Promise<Report> {
  let released = 0;
  for (let isMore = true; isMore;) {
    const answer = await api.call({ app, method: 'POST', path: `${PATH}/release`, body: { ...filter, confirm: true } });
    if (answer.kind !== 'answer') return failureReport(answer, say);
    released += Number(answer.body['released']);
    isMore = answer.body['isMore'] === true;
  }
  return done({ app, confirmed: true, released }, say('parkedReleased', { count: released, app }));
}
