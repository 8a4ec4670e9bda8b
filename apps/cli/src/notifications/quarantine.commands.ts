import { act, call, command, list, type Session } from '../command-line/command.ts';
import {
  argument,
  BEFORE,
  BODY,
  choice,
  CONFIRM,
  type Given,
  LIMIT,
  option,
  optionalArgument,
  required,
  TENANT,
} from '../command-line/inputs.ts';
import { filledOf, refuseBesideId, WrongUsage } from '../command-line/option-values.ts';
import { readList } from '../operations-api/read-list.ts';
import { entriesOf, type Entry } from '../operations-api/operations-api.ts';
import { requestTo } from '../operations-api/requests.ts';
import { cell, contentBlocks, fieldsOf, tableOf } from '../output/blocks.ts';
import { failureReport } from '../output/explain-failure.ts';
import { done, EXIT, line, type Report, shown } from '../output/report.ts';
import type { Say } from '../texts/texts.ts';

/** Most entries that a dry run counts. */
const MOST = 10_000;
/** Entries in one call; it ends long before the command line gives up waiting. */
const AT_ONCE = 100;
/** The values of `GET /api/quarantine?state=`. */
const STATES = ['open', 'reprocessed', 'discarded'] as const;

export const SHOW_INPUTS = { id: argument('<id>'), body: BODY };

/** Shows a notification or a quarantine entry. Its content may be personal, so it is read only on request. */
export function entryReport(entry: Entry, { body }: { readonly body?: unknown }, say: Say): Report {
  const { bodyBase64, ...rest } = entry;
  const fields = fieldsOf(rest);
  if (body !== true) return shown(rest, [fields], [say('contentHidden')]);
  if (typeof bodyBase64 !== 'string') return shown(entry, [fields], [say('contentGone')]);
  return shown(entry, [fields, ...contentBlocks(bodyBase64, say)], [say('bodyWarning')]);
}

const FILTERS = {
  tenant: TENANT,
  reason: option('--reason <code>', { pt: 'motivo, por exemplo NOT_JSON', en: 'reason, for example NOT_JSON' }),
  state: choice('--state <state>', { pt: 'estado: {choices}', en: 'state: {choices}' }, STATES),
  limit: LIMIT,
  before: BEFORE,
};
const listQuarantine = list('notifications quarantine', {
  columns: {
    id: 'colId',
    receivedAt: 'colReceived',
    tenant: 'colTenant',
    state: 'colState',
    reason: 'colReason',
    bytes: 'colBytes',
    detail: 'colDetail',
  },
  flexible: 'detail',
});

/** Makes the app read an entry again. If the entry stays in the quarantine, the exit code is 1. */
const reprocess = call('notifications reprocess/one', (answer, { id }, say) => {
  const json = { id, ...answer };
  switch (answer['outcome']) {
    case 'stored':
      return done(json, say('stored', { id }));
    case 'repeated':
      return done(json, say('repeated', { id }));
    case 'still-quarantined': {
      const sentence = say('stillQuarantined', { id, reason: cell(answer['reason']) });
      return { json, blocks: [], notes: [sentence], exit: EXIT.failed };
    }
    default:
      return shown(json, [fieldsOf(json)]);
  }
});

export const QUARANTINE_COMMANDS = {
  quarantine: command({
    inputs: { id: optionalArgument('[id]'), ...FILTERS, body: BODY },
    task: ({ id, body, ...filters }, refusing) => {
      if (id === undefined) {
        if (body) throw new WrongUsage(refusing.say('bodyWithoutId'));
        return listQuarantine(filters, refusing);
      }
      refuseBesideId(filters, refusing.say);
      return call('notifications quarantine/one', entryReport)({ id, body });
    },
    examples: ['--tenant acme --state open', '--reason NOT_JSON --json', '17 --body'],
  }),
  reprocess: command({
    inputs: { id: optionalArgument('[id]'), tenant: FILTERS.tenant, reason: FILTERS.reason, confirm: CONFIRM },
    task: ({ id, confirm, ...filter }, { say }) => {
      if (id === undefined) return (session) => (confirm ? reprocessAll(session, filter) : countOpen(session, filter));
      refuseBesideId(filter, say);
      return reprocess({ id });
    },
    examples: ['17', '--tenant acme --reason NOT_STORABLE', '--tenant acme --reason NOT_STORABLE --confirm'],
  }),
  discard: command({
    inputs: {
      id: argument('<id>'),
      note: required('--note <text>', { pt: 'motivo do descarte', en: 'reason for discarding the entry' }, filledOf),
    },
    task: act(
      'notifications discard',
      { pt: 'A entrada {id} foi descartada.', en: 'Entry {id} was discarded.' },
      { document: (answer, { id }) => ({ id, ...answer }) },
    ),
    examples: ['17 --note "teste da agência / test of the agency"'],
  }),
};

type Filter = Pick<Given<typeof FILTERS>, 'tenant' | 'reason'>;

/** Counts the open entries that would be read again. */
async function countOpen({ api, say }: Session, filter: Filter): Promise<Report> {
  const listed = await readList(api, 'notifications quarantine', { ...filter, state: 'open' }, MOST);
  if (listed.kind !== 'listed') return failureReport(listed, say);
  const count = listed.entries.length;
  return done({ confirmed: false, open: count }, say('reprocessDryRun', { count }));
}

/** Makes the app read all open entries again, page by page. If one stays in the quarantine, the exit code is 1. */
async function reprocessAll({ api, say }: Session, filter: Filter): Promise<Report> {
  const counts = { stored: 0, repeated: 0 };
  const failed: Entry[] = [];
  let after: string | undefined;
  do {
    const given = { ...filter, after, limit: AT_ONCE, confirm: true };
    const answer = await api.call(requestTo('notifications reprocess', given));
    if (answer.kind !== 'answer') return failureReport(answer, say);
    const { stored, repeated, failed: left, next } = answer.body;
    counts.stored += Number(stored);
    counts.repeated += Number(repeated);
    failed.push(...entriesOf(left));
    after = typeof next === 'string' ? next : undefined;
  } while (after !== undefined);
  const sentence = line(say('reprocessedAll', { ...counts, failed: failed.length }));
  const json = { confirmed: true, ...counts, failed };
  if (failed.length === 0) return shown(json, [sentence]);
  const columns = { id: 'colId', reason: 'colReason', detail: 'colDetail' } as const;
  return { json, blocks: [sentence, tableOf(say, columns, failed, 'detail')], notes: [], exit: EXIT.failed };
}
