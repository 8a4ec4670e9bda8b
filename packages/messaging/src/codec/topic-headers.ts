import type { JsonSchema } from '@gondola/shared/contract/json-schema';
import type { TopicName } from '@gondola/shared/topics/topics';

import { HEADER } from './record-codec.ts';

/** Which headers the records of a topic have (contract, "Headers on what Gondola writes"), for schemas and tests. */

type HeaderKey = keyof typeof HEADER;

interface TopicHeaders {
  readonly required: readonly HeaderKey[];
  readonly optional: readonly HeaderKey[];
}

const TEXTS: Readonly<Record<HeaderKey, JsonSchema>> = {
  contentType: { const: 'application/json' },
  specVersion: { const: '1.0' },
  id: { description: 'The dedup key: equal for a repeat. The key of the record, where nothing else is said' },
  source: { description: 'The app that wrote the record', pattern: '^/gondola/[a-z-]+$' },
  type: { description: "The value's `type`" },
  subject: { description: 'The entity within its tenant: `<kind>/<identity>`' },
  time: { description: 'When the record was written; of a notification its receipt', format: 'date-time' },
  tenant: { description: 'Whose record it is' },
  partitionKey: {
    description: '`<tenant>/<kind>/<identity>`: chooses the partition, by murmur2 as a key would',
    pattern: String.raw`^[^/]+/[^/]+/[\s\S]`,
  },
  sequence: { description: 'The revision, zero-padded', pattern: '^[0-9]{10}$' },
  commandId: { description: 'The command that caused the record' },
  traceparent: { description: 'W3C trace context', pattern: '^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}' },
  operationId: { description: 'The `operationId` of the envelope' },
  relatedEntity: { description: 'The `relatedEntity` of the envelope' },
  originTopic: { description: 'The full name of the topic that the original came by' },
  originPartition: { description: 'Its partition', pattern: '^[0-9]+$' },
  originOffset: { description: 'Its offset', pattern: '^[0-9]+$' },
  group: { description: 'The consumer group that could not handle it' },
  reasonCode: { description: 'Why: a code of `reasons.md`' },
  reason: { description: 'Why: a sentence without personal data' },
  truncated: { description: 'What was cut to fit the topic, with its whole size in bytes' },
  redrive: { description: 'Which time the record is sent again', pattern: '^[0-9]+$' },
  redriveGroup: { description: 'The one consumer group that takes the record again' },
};

const FROM_ERP: TopicHeaders = { required: [], optional: ['tenant', 'traceparent', 'redrive', 'redriveGroup'] };
const EVERY: readonly HeaderKey[] = ['specVersion', 'id', 'source', 'type', 'time', 'traceparent'];
const RESULTS: TopicHeaders = {
  required: ['contentType', ...EVERY, 'tenant', 'partitionKey', 'commandId'],
  optional: ['subject'],
};
const NOTIFICATIONS: TopicHeaders = {
  required: ['contentType', ...EVERY, 'tenant', 'partitionKey', 'operationId', 'relatedEntity'],
  optional: ['subject', 'redrive', 'redriveGroup'],
};

const TOPIC_HEADERS: Readonly<Record<TopicName, TopicHeaders>> = {
  'erp.catalog.brands.v1': FROM_ERP,
  'erp.catalog.categories.v1': FROM_ERP,
  'erp.catalog.products.v1': FROM_ERP,
  'erp.catalog.prices.v1': FROM_ERP,
  'erp.catalog.warehouses.v1': FROM_ERP,
  'erp.catalog.stock.v1': FROM_ERP,
  'erp.orders.commands.v1': FROM_ERP,
  // Of order-command-handler all of these; an ERP need not write any.
  'erp.files.commands.v1': {
    required: [],
    optional: ['contentType', ...EVERY, 'subject', 'tenant', 'commandId', 'redrive', 'redriveGroup'],
  },
  'erp.catalog.results.v1': RESULTS,
  'erp.orders.results.v1': RESULTS,
  'erp.files.results.v1': { ...RESULTS, optional: [...RESULTS.optional, 'redrive', 'redriveGroup'] },
  'erp.orders.events.v1': {
    required: ['contentType', ...EVERY, 'tenant', 'subject', 'partitionKey', 'sequence'],
    optional: ['commandId'],
  },
  'catalog.skus.v1': {
    required: [...EVERY, 'tenant', 'subject', 'partitionKey'],
    optional: ['contentType', 'commandId', 'redrive', 'redriveGroup'],
  },
  'platform.notifications.catalog.v1': NOTIFICATIONS,
  'platform.notifications.orders.v1': NOTIFICATIONS,
  'platform.notifications.users.v1': NOTIFICATIONS,
  'dead-letters.v1': {
    required: [...EVERY, 'originTopic', 'originPartition', 'originOffset', 'group', 'reasonCode', 'reason'],
    optional: ['tenant', 'truncated'],
  },
};

/** The JSON Schema of a topic's headers, each as its UTF-8 text. A record may have others beside them. */
export function headerSchema(topic: TopicName): JsonSchema {
  const { required, optional } = TOPIC_HEADERS[topic];
  const keys = [...required, ...optional];
  return {
    type: 'object',
    properties: Object.fromEntries(keys.map((key) => [HEADER[key], { type: 'string', ...TEXTS[key] }])),
    ...(required.length > 0 && { required: required.map((key) => HEADER[key]) }),
  };
}
