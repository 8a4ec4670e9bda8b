import type { PageQuery } from '@gondola/service-kit/http/page.dto';
import {
  isRelatedEntity,
  orderNumberText,
  partitionKey,
  RELATED_ENTITY_KINDS,
  type RelatedEntity,
} from '@gondola/shared/topics/identities';
import type { NotificationState } from './notification.entity.ts';
import type { NotificationsQuery } from './notifications.dto.ts';

/** An operator's search; an absent field matches everything. */
export type NotificationQuestion = Omit<NotificationsQuery, keyof PageQuery>;

/** The same search by columns; an absent field matches everything. */
export interface NotificationFilter {
  readonly tenant?: string | undefined;
  readonly operationId?: string | undefined;
  readonly eventType?: string | undefined;
  readonly relatedEntity?: string | undefined;
  /** One key for each tenant that is searched. */
  readonly partitionKeys?: readonly string[] | undefined;
  readonly state?: NotificationState | undefined;
}

export type ReadFilter =
  | { readonly ok: true; readonly filter: NotificationFilter }
  | { readonly ok: false; readonly problem: string };

/**
 * Columns to search for a question: orders and other identities are found by the partition key, which is indexed
 * and holds no e-mail (rule 1). Pure.
 *
 * @param tenants configured tenants
 */
export function notificationFilter(question: NotificationQuestion, tenants: readonly string[]): ReadFilter {
  const { tenant, orderNumber, operationId, eventType, entity, identity, state } = question;
  const filter = { tenant, operationId, eventType, relatedEntity: entity, state };
  const asked = tenant === undefined ? tenants : [tenant];
  if (orderNumber !== undefined) {
    const number = orderNumberText(orderNumber);
    if (number === null) return refused('orderNumber is a whole number');
    if (identity !== undefined) return refused('orderNumber and identity exclude each other');
    return { ok: true, filter: { ...filter, partitionKeys: asked.map((id) => partitionKey(id, 'order', number)) } };
  }
  if (identity === undefined) return { ok: true, filter };
  if (!isRelatedEntity(entity)) return refused(`identity needs entity, one of: ${SEARCHABLE.join(', ')}`);
  const kind = RELATED_ENTITY_KINDS[entity];
  if (!SEARCHABLE.includes(entity)) return refused(`${entity} has no identity that is stored; search by operationId`);
  const own = entity === 'Order' ? orderNumberText(identity) : identity;
  if (own === null) return refused('The identity of an Order is its number');
  return { ok: true, filter: { ...filter, partitionKeys: asked.map((id) => partitionKey(id, kind, own)) } };
}

/**
 * Entities that can be searched by identity. A User's identity is an e-mail and stored nowhere; a WarehouseSKU has
 * none.
 */
const SEARCHABLE: readonly RelatedEntity[] = (Object.keys(RELATED_ENTITY_KINDS) as RelatedEntity[]).filter(
  (entity) => entity !== 'User' && entity !== 'WarehouseSKU',
);

function refused(problem: string): ReadFilter {
  return { ok: false, problem };
}
