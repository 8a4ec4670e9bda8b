import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { fullProduct, fullSku } from './product-samples.ts';
import { fullBrand } from './reference-samples.ts';
import type { NotificationParts } from '@gondola/shared/testing/notification';

/** A record with what names its entity. */
export type TestEntity = JsonRecord & { readonly externalReference: string };

/** A brand with all that the platform requires. */
export function brand(externalReference: string, more: JsonRecord = {}): TestEntity {
  const name = `Marca ${externalReference}`;
  return { ...fullBrand({ name, title: name, ...more }), externalReference };
}

export function category(externalReference: string, more: JsonRecord = {}): TestEntity {
  return { name: externalReference, ...more, externalReference };
}

/** A product with all that the platform requires, and one SKU. */
export function product(externalReference: string, more: JsonRecord = {}): TestEntity {
  const skus = [fullSku({ externalReference: `${externalReference}-1` })];
  return { ...fullProduct({ skus, ...more }), externalReference };
}

export interface FailureParts {
  /** Without it, `acme`. */
  readonly tenant?: string;
  readonly operationId: string;
  readonly kind: 'Brand' | 'Category';
  /** None: the notification does not say whom it is about. */
  readonly reference?: string;
  readonly eventType?: string;
}

const ERROR = {
  statusCode: 422,
  message: '{"title":"Inválido"}',
  validationErrors: [{ id: 1, key: 'Title', validation: 'must be unique' }],
};

/** Notification of the platform about a rejected brand or category. */
export function failure({ operationId, kind, reference, eventType }: FailureParts): NotificationParts {
  return {
    operationId,
    relatedEntity: kind,
    eventType: eventType ?? `${kind}_CreationFailed`,
    data: reference === undefined ? {} : { externalReference: reference },
    error: ERROR,
  };
}
