import { DAY_MS } from '../durations.ts';
import { byValueTopic } from './values.ts';

/**
 * The one catalog of topics. Names have no `TOPIC_PREFIX`, and no other code contains a topic name. `partitions` is
 * a setting of the installation and therefore not here.
 */

/**
 * Origin of a record's key: the ERP's entity, the dedup key, `<tenant>/<SKU reference>`, or the key of the
 * original.
 */
export type TopicKey = 'entity' | 'dedup' | 'snapshot' | 'original';

export type TopicParty =
  | 'erp'
  | 'webhook-ingest'
  | 'catalog-publisher'
  | 'order-command-handler'
  | 'file-gateway'
  | 'operations';

export interface TopicSpec {
  readonly key: TopicKey;
  readonly cleanup: 'delete' | 'compact';
  /** Retention in milliseconds; null if compaction alone applies. */
  readonly retentionMs: number | null;
  readonly writers: readonly TopicParty[];
  readonly readers: readonly TopicParty[];
}

const WEEK_MS = 7 * DAY_MS;

/** Before the name of a topic, behind `TOPIC_PREFIX`: its twin for tenants in shadow. */
const SHADOW = 'shadow.';

function fromErp(...readers: TopicParty[]): TopicSpec {
  return { key: 'entity', cleanup: 'delete', retentionMs: WEEK_MS, writers: ['erp'], readers };
}

function published(writer: TopicParty, ...readers: TopicParty[]): TopicSpec {
  return { key: 'dedup', cleanup: 'delete', retentionMs: WEEK_MS, writers: [writer], readers };
}

export const TOPICS = {
  'erp.catalog.brands.v1': fromErp('catalog-publisher'),
  'erp.catalog.categories.v1': fromErp('catalog-publisher'),
  'erp.catalog.products.v1': fromErp('catalog-publisher'),
  ...byValueTopic(() => fromErp('catalog-publisher')),
  'erp.orders.commands.v1': fromErp('order-command-handler'),
  'erp.files.commands.v1': { ...fromErp('file-gateway'), writers: ['erp', 'order-command-handler'] },
  'erp.catalog.results.v1': published('catalog-publisher', 'erp'),
  'erp.orders.results.v1': published('order-command-handler', 'erp'),
  'erp.files.results.v1': published('file-gateway', 'erp', 'order-command-handler'),
  'erp.orders.events.v1': published('order-command-handler', 'erp'),
  'catalog.skus.v1': {
    key: 'snapshot',
    cleanup: 'compact',
    retentionMs: null,
    writers: ['catalog-publisher'],
    readers: ['order-command-handler', 'file-gateway', 'erp'],
  },
  'platform.notifications.catalog.v1': published('webhook-ingest', 'catalog-publisher'),
  'platform.notifications.orders.v1': published(
    'webhook-ingest',
    'order-command-handler',
    'catalog-publisher',
    'file-gateway',
  ),
  'platform.notifications.users.v1': published('webhook-ingest', 'erp'),
  'dead-letters.v1': {
    key: 'original',
    cleanup: 'delete',
    retentionMs: 30 * DAY_MS,
    writers: ['catalog-publisher', 'order-command-handler', 'file-gateway'],
    readers: ['operations'],
  },
} as const satisfies Record<string, TopicSpec>;

/** A topic of the contract. */
export type LiveTopic = keyof typeof TOPICS;

/** Topics without a twin: no ERP reads them, and what they hold changes nothing. */
const WITHOUT_TWIN = [
  'platform.notifications.catalog.v1',
  'platform.notifications.orders.v1',
  'dead-letters.v1',
] as const;

/** Any topic of Gondola: one of the contract, or the twin of one for tenants in shadow. */
export type TopicName = LiveTopic | `${typeof SHADOW}${Exclude<LiveTopic, (typeof WITHOUT_TWIN)[number]>}`;

/** Names of all topics of the contract without prefix, in its order. */
export const TOPIC_NAMES = Object.keys(TOPICS) as readonly LiveTopic[];

/**
 * Number of partitions of a topic that Gondola creates if `TOPIC_PARTITIONS` is unset; fixed once the topic exists.
 */
export const DEFAULT_PARTITIONS = 12;

/** Topic that takes what Gondola publishes on `name` for a tenant in shadow; `name` itself if that has no twin. */
export function shadowTopic(name: TopicName): TopicName {
  const hasNone = isShadowTopic(name) || (WITHOUT_TWIN as readonly TopicName[]).includes(name);
  return hasNone ? name : (`${SHADOW}${name}` as TopicName);
}

export function isShadowTopic(name: string): boolean {
  return name.startsWith(SHADOW);
}

/** Topic of the contract whose records a topic holds. */
export function liveTopic(name: TopicName): LiveTopic {
  return (isShadowTopic(name) ? name.slice(SHADOW.length) : name) as LiveTopic;
}

/** Topics of an app, with their twins if a tenant is in shadow. */
export function withShadows(names: readonly TopicName[], isAnyInShadow: boolean): readonly TopicName[] {
  return isAnyInShadow ? [...new Set([...names, ...names.map(shadowTopic)])] : names;
}

/** Settings of a topic, typed independently of the topic. */
export function topicSpec(name: TopicName): TopicSpec {
  return TOPICS[liveTopic(name)];
}

/** Name of a topic at the broker: the prefix is added unchanged. */
export function fullTopicName(prefix: string, name: TopicName): string {
  return prefix + name;
}

/** Catalog name of a broker's topic; null if the prefix differs or the topic is not Gondola's. */
export function topicNameOf(prefix: string, full: string): TopicName | null {
  if (!full.startsWith(prefix)) return null;
  const name = full.slice(prefix.length);
  return Object.hasOwn(TOPICS, liveTopic(name as TopicName)) ? (name as TopicName) : null;
}
