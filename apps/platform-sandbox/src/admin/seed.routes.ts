import { z } from 'zod';
import { route, type AnyRoute } from '../http/route.ts';
import type { Seed } from './seed.service.ts';

const A_GUID = '11111111-1111-4111-8111-111111111111';
const count = (normally: number) => z.int().min(0).max(1_000_000).default(normally);
const MOST_PICTURES = 200;

const SeedBody = z.object({
  seed: z
    .int()
    .min(0)
    .max(2 ** 31)
    .default(1)
    .describe('The same seed makes the same shop'),
  products: count(50),
  orders: count(10),
  brands: count(8),
  categories: count(12),
  pictures: z.int().min(0).max(100_000).optional().describe('Products with a picture; by default all, 200 at most'),
  notify: z.boolean().default(false).describe('True: the merchant is notified of the orders'),
  contractAccountId: z.string().optional().describe('By default the only merchant, else one that is opened'),
});

const number = z.int();
const Seeded = z.object({
  contractAccountId: z.string(),
  username: z.string(),
  password: z.string().nullable().describe('Null: the merchant was there'),
  apiKey: z.string().nullable(),
  brands: number,
  categories: number,
  products: number,
  skus: number,
  orders: z.object({ count: number, first: number.nullable(), last: number.nullable() }),
  ms: number,
});

export function seedRoutes(seed: Seed): AnyRoute[] {
  return [
    route({
      method: 'POST',
      path: '/admin/seed',
      access: 'admin',
      summary: 'Fills a shop of any size, reproducible by its seed; opens a merchant if there is not exactly one',
      body: SeedBody,
      example: { seed: 1, products: 50, orders: 10 },
      answer: {
        contractAccountId: A_GUID,
        username: 'erp',
        password: null,
        apiKey: null,
        brands: 8,
        categories: 12,
        products: 50,
        skus: 50,
        orders: { count: 10, first: 100001, last: 100010 },
        ms: 40,
      },
      answerSchema: Seeded,
      status: 201,
      handle: ({ body }) =>
        seed.carryOut({ ...body, pictures: body.pictures ?? Math.min(body.products, MOST_PICTURES) }),
    }),
  ];
}
