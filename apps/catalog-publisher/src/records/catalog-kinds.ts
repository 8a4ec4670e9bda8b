import type { TopicName } from '@gondola/shared/topics/topics';
import { VALUE_KINDS, type ValueKind, type ValueTopic, VALUES } from '@gondola/shared/topics/values';

export const CATALOG_RESULTS = 'erp.catalog.results.v1' as const satisfies TopicName;

/** Kinds of catalog entities, each with its topic. */
export const CATALOG_TOPICS = {
  product: 'erp.catalog.products.v1',
  brand: 'erp.catalog.brands.v1',
  category: 'erp.catalog.categories.v1',
  ...(Object.fromEntries(VALUE_KINDS.map((kind) => [kind, VALUES[kind].topic])) as Record<ValueKind, ValueTopic>),
} as const satisfies Record<string, TopicName>;

export type CatalogKind = keyof typeof CATALOG_TOPICS;

/** Kinds that other records refer to and wait for. */
export type ReferenceKind = Extract<CatalogKind, 'brand' | 'category'>;

export function isCatalogKind(kind: string): kind is CatalogKind {
  return Object.hasOwn(CATALOG_TOPICS, kind);
}

/** Fields that the result of a record with a known id and other content has besides those of any result. */
export function conflictOf(kind: CatalogKind): { readonly skus?: [] } {
  return kind === 'product' ? { skus: [] } : {};
}

/** Kind of a topic's records. Throws for any other topic. */
export function kindOfTopic(topic: TopicName): CatalogKind {
  const kind = Object.keys(CATALOG_TOPICS).find((each) => isCatalogKind(each) && CATALOG_TOPICS[each] === topic);
  if (kind === undefined) throw new Error('The topic has no catalog records');
  return kind as CatalogKind;
}
