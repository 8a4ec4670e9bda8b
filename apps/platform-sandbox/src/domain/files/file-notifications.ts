import { errorObject, type CoreRefusal, type RefusalContext } from '../core-error.ts';
import type { JsonObject } from '../exact-json.ts';
import type { Notification, RelatedEntity } from '../webhooks/notification.ts';
import { FILE_TYPES, type FileType } from './stored-file.ts';

/** What a refused operation on files was about. */
export interface RefusedFiles {
  readonly operationId: string;
  readonly contractAccountId: string;
  readonly fileType: FileType;
  /** Names the entity: `{ externalReference }`, or `{ id }` where only that is known. */
  readonly data: JsonObject;
}

const ENTITIES: Readonly<Record<FileType, RelatedEntity>> = {
  [FILE_TYPES.sku]: 'ProductWithSKUs',
  [FILE_TYPES.category]: 'Category',
  [FILE_TYPES.badge]: 'ProductWithSKUs',
  [FILE_TYPES.invoice]: 'Order',
  [FILE_TYPES.product]: 'ProductWithSKUs',
};

/**
 * Files have neither an entity nor failure events of their own (docs/platform.md, "Events that are actually delivered
 * for orders" 999).
 */
export function filesRefused(refused: RefusedFiles, refusal: CoreRefusal, context: RefusalContext): Notification {
  const { operationId, contractAccountId, fileType, data } = refused;
  const error = errorObject(refusal, context);
  return {
    operationId,
    contractAccountId,
    relatedEntity: ENTITIES[fileType],
    eventType: 'Operation_Failed',
    data,
    error,
  };
}
