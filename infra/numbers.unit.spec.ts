import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

// Numbers in documents that are constants of the code: the constant changes, and the sentence is false.

const ROOT = join(import.meta.dirname, '..');
const SOURCES = execFileSync('git', ['ls-files', 'apps/*/src/*.ts', 'packages/*/src/*.ts'], { cwd: ROOT })
  .toString()
  .split('\n');
const UNITS: Readonly<Record<string, number>> = {
  s: 1_000,
  min: 60_000,
  h: 3_600_000,
  days: 86_400_000,
  MB: 1_000_000,
  MiB: 1_048_576,
  GiB: 1_073_741_824,
};

/** Settings of all apps with lanes, as their READMEs list them. */
const LANES = [
  '| `PLATFORM_TIMEOUT_MS` | {PLATFORM_TIMEOUT_MS lanes-config.ts} |',
  '| `COMMAND_RETENTION_MS` | {retention lanes-config.ts} |',
  '| `LOST_ANSWER_MS` | {lostAnswer lanes-config.ts} |',
];

/** Sentences of each document; `{constant file unit}` stands for a number, without a unit for the constant itself. */
const SENTENCES: Readonly<Record<string, readonly string[]>> = {
  'docs/contract.md': [
    'creates missing topics with {DEFAULT_PARTITIONS topics.ts} partitions',
    '`loadId` | the load that this record belongs to, 1 to {MAX_LOAD_ID read-record.ts} characters',
    'a PDF must have its header in the first {PDF_HEADER_BYTES media-types.ts} bytes',
    'at most {RESEND_PAGE resend.ts} of its entities are open at a time',
    'letters until {RETENTION_MS dead-letters.ts days} days after they failed last',
    '`x-gondola-operator`, percent-encoded, of 1 to {MAX_LENGTH logging/operator.ts} printable characters',
    'text of at most {MAX_LENGTH show-details.service.ts} characters',
    'the latest {NOT_APPLIED_SHOWN show-loads.service.ts} that did not enter',
    '(at most {MOST_STUCK lanes-today.ts}, with at most {MOST_COMMANDS lanes-today.ts} open commands each)',
    'loses the counts of its last {EVERY_MS delivery-hours.service.ts s} seconds',
    'counted up to {MOST_COUNTED counted.dto.ts}',
    '{MAX_PER_SECOND bulk-jobs.dto.ts} at most; `note` for',
    'At most {MOST_RUNNING bulk-jobs.ts} jobs of a tenant run at once',
    'at most {MAX_GROUPS count-groups.ts} groups',
    '`{ released, isMore }`, {AT_ONCE parked-source.ts} at most',
    '`OPERATIONS_TOKEN` of at least {LEAST_TOKEN_LENGTH config-shapes.ts} characters',
    '({retention lanes-config.ts days} days) after its result',
    '{commandMs tenants-schema.ts min} minutes; invoicing {invoiceMs tenants-schema.ts min} minutes; waiting for references {referencesMs tenants-schema.ts h} hours',
  ],
  'docs/how-it-runs.md': [
    '`deadlines.commandMs` ({commandMs tenants-schema.ts min} min)',
    '`deadlines.invoiceMs` ({invoiceMs tenants-schema.ts min} min)',
    '`deadlines.referencesMs` ({referencesMs tenants-schema.ts h} h)',
    '`deadlines.settleMs` ({settleMs tenants-schema.ts s} s)',
    'body {MAX_BODY_BYTES webhook-ingest/src/config.ts MB} MB (`MAX_BODY_BYTES`)',
    'all unanswered bodies {MAX_UNANSWERED_BYTES webhook-ingest/src/config.ts MiB} MiB',
    'a request {REQUEST_TIMEOUT_MS webhook-ingest/src/config.ts s} s (`REQUEST_TIMEOUT_MS`)',
    '{GROUPS_AT_ONCE group-commit.ts} groups at once, {maxItems inbox.service.ts} bodies or {maxBytes inbox.service.ts MiB} MiB each',
    'within {INBOX_BUDGET_MS webhook-ingest/src/config.ts} ms (`INBOX_BUDGET_MS`)',
    'within {SPOOL_BUDGET_MS inbox-or-spool.service.ts s} s; {SPOOL_MAX_BYTES webhook-ingest/src/config.ts GiB} GiB (`SPOOL_MAX_BYTES`)',
    'new ones are held for {HOLD_MS spool-importer.service.ts} ms',
    'a send {SEND_TIMEOUT_MS kafka-sender.ts s} s, acks of all replicas',
    'back-off {baseMs outbox-relay.ts} ms to {maxMs outbox-relay.ts s} s, the same records first',
    'for {ms sent-before.ts s} s and in {bytes sent-before.ts MB} MB at most',
    'waits alone, {baseMs refused-topics.ts} ms to {maxMs refused-topics.ts s} s',
    'this partition pauses, {baseMs consumer-timings.ts} ms to {maxMs consumer-timings.ts s} s',
    '{stuckMs consumer-timings.ts s} s without a sign of life, {handlerMs consumer-timings.ts min} min in one handler',
    '{MOST_CLAIMED lane-worker.ts} lanes a step; lease {LEASE_MS lanes-config.ts s} s (`LANE_LEASE_MS`), renewed at each third',
    'back-off of the lane, {baseMs lane-worker.ts s} s to {maxMs lane-worker.ts min} min',
    '`platform.concurrency` ({concurrency tenants-schema.ts}) calls of a tenant at once; {BUSY_MS call-platform.service.ts} ms in line',
    '`recovery.callsPerMinute` ({callsPerMinute tenants-schema.ts}) times a minute',
    '`audit.readsPerMinute` ({readsPerMinute tenants-schema.ts}) times a minute',
    '`recovery.scanEveryMs` ({scanEveryMs tenants-schema.ts min} min), {lookups tenants-schema.ts} times each',
    '`recovery.quietMs` ({quietMs tenants-schema.ts min} min), then after twice as long each time, up to {quietMaxMs tenants-schema.ts h} h',
    '{failuresInRow circuit-breaker.ts} failures in a row of different entities',
    'open for {firstOpenMs circuit-breaker.ts s} s, doubled to {maxOpenMs circuit-breaker.ts s} s',
    '{PLATFORM_TIMEOUT_MS lanes-config.ts s} s (`PLATFORM_TIMEOUT_MS`), files {PLATFORM_UPLOAD_TIMEOUT_MS lanes-config.ts s} s; connecting {CONNECT_TIMEOUT_MS tenant-caller.ts s} s; {BODY_SILENCE_MS tenant-caller.ts s} s of silence in a body',
    'a read of the target ({SILENCE_READ_MS status-commands.ts s} s after acceptance, then doubled)',
    '{BATCH_SIZE catalog-publisher/src/lanes.module.ts} records or {MAX_GROUP_BYTES batches.ts MB} MB a POST; reads are awaited for {GATHER_MS publish-records.service.ts s} s',
    'a sweep at a start and every {SWEEP_MS wake-waiting.service.ts min} minutes',
    'up to {LATE_TIMEOUTS late-calls.ts} time-outs (`PLATFORM_TIMEOUT_MS`) after its end',
    '`LOST_ANSWER_MS` ({lostAnswer lanes-config.ts s} s), the last one when two thirds',
    'the last one when two thirds of the deadline are over | {MAX_ATTEMPTS retry.ts} attempts',
  ],
  'docs/running.md': [
    '| `KAFKA_SESSION_MS` | a consumer that is silent for so long counts as dead and is replaced; set it longer on a machine that stalls for seconds | `{KAFKA_SESSION_MS config-shapes.ts}` |',
    '`{MAX_BODY_BYTES webhook-ingest/src/config.ts}`, `{MAX_UNANSWERED_BYTES webhook-ingest/src/config.ts}` |',
    '| `UPLOAD_MAX_BYTES` | file-gateway: largest upload | `{DEFAULT_UPLOAD_BYTES file-gateway/src/config.ts}` |',
  ],
  'apps/catalog-publisher/README.md': [...LANES, '| `LANE_LEASE_MS` | {LEASE_MS lanes-config.ts} |'],
  'apps/order-command-handler/README.md': [...LANES, '| `LANE_LEASE_MS` | {LEASE_MS lanes-config.ts} |'],
  'apps/file-gateway/README.md': [
    ...LANES,
    '| `LANE_LEASE_MS` | {LEASE_WITH_UPLOADS_MS lanes-config.ts} |',
    '| `PLATFORM_UPLOAD_TIMEOUT_MS` | {PLATFORM_UPLOAD_TIMEOUT_MS lanes-config.ts} |',
  ],
};
const WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

describe.each(Object.entries(SENTENCES))('%s', (document, sentences) => {
  it.each(sentences)('%s', (sentence) => {
    expect(normal(read(document))).toContain(normal(sentence.replaceAll(/\{(\w+) (\S+?)(?: (\w+))?\}/g, numberIn)));
  });
});

describe("the settings in an app's README", () => {
  const own = ['webhook-ingest', 'file-gateway', 'order-command-handler', 'catalog-publisher', 'platform-sandbox'];
  it.each(own)('%s: have the defaults of its configuration', (app) => {
    const file = `apps/${app}/src/config.ts`;
    const rows = [...read(`apps/${app}/README.md`).matchAll(/^\| `(\w+)` \| (\d+) \|/gm)];
    const listed = rows
      .filter(([, name]) => read(file).includes(`${name}: `))
      .map(([, name, number]) => [name, number]);
    expect(listed.length).toBeGreaterThan(0);
    expect(listed).toEqual(listed.map(([name]) => [name, String(constantOf(file, name!))]));
  });
});

function numberIn(_placeholder: string, name: string, file: string, unit: string | undefined): string {
  const found = SOURCES.filter((source) => source.endsWith(`/${file}`));
  if (found.length !== 1) throw new Error(`${file} is no single file: ${found.join(', ')}`);
  return String(constantOf(found[0]!, name) / (unit === undefined ? 1 : UNITS[unit]!));
}

/** Value of a constant, of a property, or of the default of a setting, whose text is a number or a product. */
function constantOf(file: string, name: string): number {
  const text = read(file);
  const factors = String.raw`([\w*. ]+?)`;
  const found = [
    String.raw`const ${name}(?:: \w+)? = ${factors};`,
    String.raw`\b${name}: (?:[^\n]*\bdefault|[\s\S]{0,60}?\.default)(?:: |\()${factors}(?: \}|\))`,
    String.raw`const ${name} = wholeNumber\([^\n]*\bdefault: ${factors} \}`,
    String.raw`\b${name}: (?:milliseconds|limit|days)\(${factors}\)`,
    String.raw`'${name}', defaultMs: ${factors} \}`,
    String.raw`\b${name}: (\d[\w* ]*?)(?:,| \})`,
  ].flatMap((pattern) => new RegExp(pattern).exec(text)?.[1] ?? []);
  if (found[0] === undefined) throw new Error(`${file} has no constant ${name}`);
  const factor = (each: string): number => {
    if (/^[\d_]+$/.test(each)) return Number(each.replaceAll('_', ''));
    return constantOf(text.includes(`const ${each} = `) ? file : 'packages/shared/src/durations.ts', each);
  };
  return found[0].split(' * ').reduce((product, each) => product * factor(each), 1);
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** Without line breaks, and with each number as digits alone. */
function normal(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/(?<=\d),(?=\d{3}\b)/g, '')
    .replaceAll(/\b[a-z]+\b/g, (word) => (WORDS.includes(word) ? String(WORDS.indexOf(word)) : word));
}
