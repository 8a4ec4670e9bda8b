import { WRITTEN_TIME_PATTERN } from '@gondola/shared/contract/time-patterns';
import type { JsonSchema } from '@gondola/shared/schemas/json-schema';
import type { LiveTopic } from '@gondola/shared/topics/topics';
import { byValueTopic } from '@gondola/shared/topics/values';

import { HEADER } from './record-codec.ts';

/** Headers of each topic's records (contract, "Headers on what Gondola writes"), for schemas and tests. */

type HeaderKey = keyof typeof HEADER;

interface TopicHeaders {
  readonly required: readonly HeaderKey[];
  readonly optional: readonly HeaderKey[];
}

const TEXTS: Readonly<Record<HeaderKey, JsonSchema>> = {
  contentType: { const: 'application/json' },
  specVersion: { const: '1.0' },
  id: {
    description: 'The dedup key: equal for a repeat. Also the key of the record, unless the contract says otherwise',
  },
  source: { description: 'The app that wrote the record', pattern: '^/gondola/[a-z-]+$' },
  type: { description: "The value's `type`" },
  subject: { description: 'The entity within its tenant: `<kind>/<identity>`' },
  time: {
    description:
      'Time at which the record was written; of a notification its receipt, of a derived command that of its parent',
    format: 'date-time',
    pattern: WRITTEN_TIME_PATTERN,
  },
  tenant: { description: 'The tenant that the record belongs to' },
  partitionKey: {
    description: '`<tenant>/<kind>/<identity>`: chooses the partition by murmur2, as a key would',
    pattern: '^[^/]+/[^/]+/(?:/|[^/])',
  },
  sequence: { description: 'The revision, zero-padded', pattern: '^[0-9]{10}$' },
  commandId: { description: 'The command that caused the record' },
  traceparent: { description: 'W3C trace context', pattern: '^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}' },
  operationId: { description: 'The `operationId` of the envelope' },
  relatedEntity: { description: 'The `relatedEntity` of the envelope' },
  originTopic: { description: 'The full name of the topic of the original record' },
  originPartition: { description: 'The partition of the original record', pattern: '^[0-9]+$' },
  originOffset: { description: 'The offset of the original record', pattern: '^[0-9]+$' },
  group: { description: 'The consumer group that could not handle the record' },
  reasonCode: { description: 'Reason as a code of `reasons.md`' },
  reason: { description: 'Reason as a sentence without personal data' },
  truncated: { description: 'Fields that were cut to fit the topic, with their full size in bytes' },
  redrive: { description: 'Number of times that the record was redriven, this one included', pattern: '^[0-9]+$' },
  redriveGroup: { description: 'The only consumer group that processes the redriven record' },
  redriveOf: { description: 'The `ce_id` of the dead letter that is redriven' },
  replay: { description: 'Id of the replay that published the record again' },
};

const REDRIVE: readonly HeaderKey[] = ['redrive', 'redriveGroup', 'redriveOf'];
const FROM_ERP: TopicHeaders = { required: [], optional: ['tenant', 'traceparent', ...REDRIVE] };
const EVERY: readonly HeaderKey[] = ['specVersion', 'id', 'source', 'type', 'time', 'traceparent'];
const RESULTS: TopicHeaders = {
  required: ['contentType', ...EVERY, 'tenant', 'partitionKey', 'commandId'],
  optional: ['subject', 'replay'],
};
const NOTIFICATIONS: TopicHeaders = {
  required: ['contentType', ...EVERY, 'tenant', 'partitionKey', 'operationId', 'relatedEntity'],
  optional: ['subject', ...REDRIVE],
};

const TOPIC_HEADERS: Readonly<Record<LiveTopic, TopicHeaders>> = {
  'erp.catalog.brands.v1': FROM_ERP,
  'erp.catalog.categories.v1': FROM_ERP,
  'erp.catalog.products.v1': FROM_ERP,
  ...byValueTopic(() => FROM_ERP),
  'erp.orders.commands.v1': FROM_ERP,
  // order-command-handler writes all of these; an ERP need not write any.
  'erp.files.commands.v1': {
    required: [],
    optional: ['contentType', ...EVERY, 'subject', 'tenant', 'commandId', ...REDRIVE],
  },
  'erp.catalog.results.v1': RESULTS,
  'erp.orders.results.v1': RESULTS,
  'erp.files.results.v1': { ...RESULTS, optional: [...RESULTS.optional, ...REDRIVE] },
  'erp.orders.events.v1': {
    required: ['contentType', ...EVERY, 'tenant', 'subject', 'partitionKey', 'sequence'],
    optional: ['commandId', 'replay'],
  },
  'catalog.skus.v1': {
    required: [...EVERY, 'tenant', 'subject', 'partitionKey'],
    optional: ['contentType', 'commandId', 'replay', ...REDRIVE],
  },
  'platform.notifications.catalog.v1': NOTIFICATIONS,
  'platform.notifications.orders.v1': NOTIFICATIONS,
  'platform.notifications.users.v1': NOTIFICATIONS,
  'dead-letters.v1': {
    required: [...EVERY, 'originTopic', 'originPartition', 'originOffset', 'group', 'reasonCode', 'reason'],
    optional: ['tenant', 'truncated'],
  },
};

/** JSON Schema of a topic's headers, each as UTF-8 text. A record may have further headers. */
export function headerSchema(topic: LiveTopic): JsonSchema {
  const { required, optional } = TOPIC_HEADERS[topic];
  const keys = [...required, ...optional];
  return {
    type: 'object',
    properties: Object.fromEntries(keys.map((key) => [HEADER[key], { type: 'string', ...TEXTS[key] }])),
    ...(required.length > 0 && { required: required.map((key) => HEADER[key]) }),
  };
}
