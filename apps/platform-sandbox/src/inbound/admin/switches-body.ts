import { z } from 'zod';
import { CATEGORY_KEYS } from '../../domain/catalog/category.ts';

const batchPath = z.string().regex(/^[\w-]+(\/[\w-]+)*$/, 'must be a path below /v1/batch/, without a slash in front');
const key = z.string().min(1).max(100);

/** Switches as the admin API takes them; what is left out stays. Their meaning: `Behaviour`. */
export const SwitchesBody = z.strictObject({
  transitions: z.enum(['lenient', 'strict']).exactOptional(),
  unpaidOrOver: z.enum(['taken', 'refused']).exactOptional(),
  unknownStatus: z.enum(['by-event', 'by-400']).exactOptional(),
  invoicedByItself: z.boolean().exactOptional(),
  registrationField: key.nullable().exactOptional(),
  cancelOperationIds: z.enum(['one', 'two']).exactOptional(),
  cancellationMs: z.int().min(0).max(600_000).exactOptional(),
  refundsByItself: z.boolean().exactOptional(),
  statusKey: z.string().max(100).exactOptional(),
  pickingKeys: z.strictObject({ items: key, quantity: key, price: key, total: key }).exactOptional(),
  cancelReasonKey: key.nullable().exactOptional(),
  requiredOfCategory: z
    .array(z.enum(CATEGORY_KEYS))
    .refine((keys) => keys.includes('externalReference'), 'must hold externalReference, which is the key')
    .exactOptional(),
  batchPaths: z.strictObject({ SKUPricing: batchPath, Warehouse: batchPath, WarehouseSKU: batchPath }).exactOptional(),
  payloadVersion: z.enum(['query', 'header', 'path']).exactOptional(),
  statusAnswer: z.enum(['status', 'code', 'data', 'number', 'name']).exactOptional(),
  invoiceAnswer: z.enum(['url', 'text', 'list', 'file']).exactOptional(),
  answersNotShown: z.enum(['operationId', 'empty']).exactOptional(),
  errorBody: z.enum(['object', 'problem', 'text']).exactOptional(),
  authorization: z.enum(['as-sent', 'with-scheme']).exactOptional(),
  successEvents: z.enum(['none', 'told']).exactOptional(),
});
