import { z } from 'zod';
import { DELIVERY_TYPES, MORNING, ORIGINS } from '../orders/order.ts';
import { centsOf } from '../values/decimal.ts';

const decimal = z.union([z.number(), z.string()]).transform(String);
/** Accepts currency units and converts them to cents. */
const amount = decimal
  .transform((text) => centsOf(text) ?? -1)
  .refine((cents) => cents >= 0, 'must be an amount of at least 0 with at most two decimals');

const clockTime = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/, 'must be a time, HH:MM')
  .transform((text) => (text.length === 'HH:MM'.length ? `${text}:00` : text));

/** A purchase and its terms. */
export const PurchaseBody = z.object({
  contractAccountId: z.string().optional(),
  items: z
    .array(
      z.object({
        skuExternalReference: z.string(),
        /**
         * Units. For a weighable SKU, a whole number counts sale steps, as the customer chooses; any other number
         * is the picked weight.
         */
        quantity: decimal,
        unitPrice: decimal
          .optional()
          .describe('Per unit of measure; default: the price that the merchant sent last, else 9.90'),
      }),
    )
    .min(1),
  deliveryType: z
    .union([z.enum(['scheduled', 'express', 'pickup']).transform((name) => DELIVERY_TYPES[name]), z.literal([1, 2, 3])])
    .default(DELIVERY_TYPES.scheduled),
  window: z
    .strictObject({ start: clockTime, end: clockTime })
    .default(MORNING)
    .describe('Local hours of a scheduled delivery; one that ends before it begins ends on the next day'),
  origin: z
    .union([z.enum(['undefined', 'app', 'web']).transform((name) => ORIGINS[name]), z.literal([0, 1, 2])])
    .default(ORIGINS.web),
  payment: z.enum(['approved', 'refused', 'pending']),
  promotion: z.strictObject({ name: z.string().min(1), discount: amount }).optional(),
  coupon: z.strictObject({ code: z.string().min(1), discount: amount }).optional(),
  giftCard: amount.default(0),
  freight: amount.default(0),
});

export type Purchase = z.output<typeof PurchaseBody> & { readonly contractAccountId: string };
