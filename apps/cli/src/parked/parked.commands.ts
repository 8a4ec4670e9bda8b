import { call, command, group, type Session } from '../command-line/command.ts';
import {
  appOf,
  CONFIRM,
  type Given,
  LIMIT,
  mandatory,
  option,
  optionalArgument,
  TENANT,
} from '../command-line/inputs.ts';
import { listOfApps } from '../command-line/list-of-apps.ts';
import { refuseBesideId } from '../command-line/option-values.ts';
import { entriesOf } from '../operations-api/operations-api.ts';
import { type AppOf, requestTo } from '../operations-api/requests.ts';
import { tableOrNone } from '../output/blocks.ts';
import { failureReport } from '../output/explain-failure.ts';
import { done, type Report, shown } from '../output/report.ts';

const FILTER = {
  tenant: TENANT,
  topic: option('--topic <topic>', { pt: 'só registros deste tópico', en: 'only records of this topic' }),
  reason: option('--reason <code>', {
    pt: 'só registros com este código do Kafka, como MESSAGE_TOO_LARGE',
    en: "only records with this code of Kafka's, such as MESSAGE_TOO_LARGE",
  }),
};

const releaseOne = call('parked release/one', (answer, { app }, say) =>
  done({ app, ...answer }, say('parkedReleased', { count: 1, app })),
);

/** Records that Kafka does not accept as they are: each app has its own. */
export const PARKED = group('parked', {
  list: command({
    inputs: { app: appOf('parked list'), ...FILTER, limit: LIMIT },
    task: listOfApps('parked list', {
      member: 'entries',
      name: 'parked',
      newest: 'parkedAt',
      columns: {
        parkedAt: { pt: 'RECUSADO', en: 'PARKED' },
        app: 'colApp',
        tenant: 'colTenant',
        reason: 'colReason',
        bytes: 'colBytes',
        topic: 'colTopic',
        id: 'colId',
        subject: 'colSubject',
      },
      flexible: 'subject',
    }),
    examples: ['', '--app order-command-handler --reason MESSAGE_TOO_LARGE --json'],
  }),
  /** Makes the app send one again, or all that match; without `--confirm` the latter only counts them. */
  release: command({
    inputs: { id: optionalArgument('[id]'), app: mandatory(appOf('parked release')), ...FILTER, confirm: CONFIRM },
    task: ({ id, app, confirm, ...filter }, { say }) => {
      if (id === undefined)
        return (session) => (confirm ? releaseAll(session, app, filter) : countParked(session, app, filter));
      refuseBesideId(filter, say);
      return releaseOne({ id, app });
    },
    examples: [
      '17 --app order-command-handler',
      '--app webhook-ingest --reason INVALID_TIMESTAMP',
      '--app webhook-ingest --reason INVALID_TIMESTAMP --confirm',
    ],
  }),
});

type Filter = Given<typeof FILTER>;
type App = AppOf<'parked release'>;

/** Counts the records that would be released, by tenant, reason and topic. */
async function countParked({ api, say }: Session, app: App, { tenant, topic, reason }: Filter): Promise<Report> {
  const answer = await api.call(requestTo('parked release/groups', { app, tenant }));
  if (answer.kind !== 'answer') return failureReport(answer, say);
  const groups = entriesOf(answer.body['groups']).filter(
    (group) => [undefined, group['topic']].includes(topic) && [undefined, group['reason']].includes(reason),
  );
  const columns = {
    tenant: 'colTenant',
    reason: 'colReason',
    topic: 'colTopic',
    count: { pt: 'QUANTOS', en: 'COUNT' },
  } as const;
  return shown({ app, confirmed: false, groups }, [tableOrNone(say, columns, groups, 'topic')], [say('parkedDryRun')]);
}

/** Releases all that match, as many requests as that takes. */
async function releaseAll({ api, say }: Session, app: App, filter: Filter): Promise<Report> {
  let released = 0;
  for (let isMore = true; isMore;) {
    const answer = await api.call(requestTo('parked release', { app, ...filter, confirm: true }));
    if (answer.kind !== 'answer') return failureReport(answer, say);
    released += Number(answer.body['released']);
    isMore = answer.body['isMore'] === true;
  }
  return done({ app, confirmed: true, released }, say('parkedReleased', { count: released, app }));
}
