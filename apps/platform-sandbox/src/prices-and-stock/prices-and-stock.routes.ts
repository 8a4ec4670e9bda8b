import type { FastifyRequest } from 'fastify';
import type { Core } from '../core/core.service.ts';
import { jsonBody } from '../http/body.ts';
import { notFound } from '../http/http-error.ts';
import { route, type AnyRoute } from '../http/route.ts';
import type { Behaviour } from '../switches/behaviour.ts';
import type { SwitchBoard } from '../switches/switch-board.service.ts';
import { isJsonArray } from '../values/exact-json.ts';
import { LOOSE_ENTITIES, type LooseEntity } from './loose-record.ts';
import type { LoosePayload } from './prices-and-stock.service.ts';

const A_GUID = '11111111-1111-4111-8111-111111111111';
const PRICE = [{ skuId: A_GUID, commercialPolicyId: A_GUID, price: 39.9 }];
const STOCK = [{ skuExternalReference: '4711-1', warehouseId: 'cd-01', quantity: 12.5 }];
const PATHS = {
  Pricing: ['Prices', PRICE],
  Warehouses: ['Warehouses', [{ id: 'cd-01' }]],
  'Warehouses/sku': ['Stock of SKUs in warehouses', STOCK],
} as const;

/**
 * Prices, warehouses and stock: any JSON is accepted (docs/platform.md, "Catalog"; the document does not show their
 * payloads).
 */
export function recordRoutes(core: Core, switches: SwitchBoard): AnyRoute[] {
  const common = {
    method: 'POST',
    access: 'merchant',
    queues: 'answer shown',
    answer: { operationId: A_GUID },
    errors: { 400: 'The body is not JSON' },
    // Before the credentials: an unknown path is answered 404 with any credentials.
    first: (request: FastifyRequest) => void entityOf(request, switches.behaviour),
    handle: ({ request, caller }: Parameters<AnyRoute['handle']>[0]) => {
      const entity = entityOf(request, switches.behaviour);
      const body = jsonBody(request);
      // A single object is a batch of one: the document does not show that these bodies are lists.
      const payloads = (isJsonArray(body) ? body : [body]).map((item): LoosePayload => ({ entity, item }));
      return core.accept(caller, 'loose-record', payloads);
    },
  } as const;
  return [
    ...Object.entries(PATHS).map(([path, [summary, example]]) =>
      route({ ...common, path: `/v1/batch/${path}`, summary, example }),
    ),
    // Serves the paths that the switch `batchPaths` sets.
    route({ ...common, path: '/v1/batch/*', summary: 'As the switch batchPaths says', example: [{}], documented: {} }),
  ];
}

/** Entity of a batch path; a path that is currently none of the three routes is answered 404. */
function entityOf(
  { method, url }: Pick<FastifyRequest, 'method' | 'url'>,
  { batchPaths }: Pick<Behaviour, 'batchPaths'>,
): LooseEntity {
  const path = url.split('?', 1)[0] ?? '';
  const entity = LOOSE_ENTITIES.find((one) => `/v1/batch/${batchPaths[one]}` === path);
  if (entity !== undefined) return entity;
  throw notFound('ROUTE_UNKNOWN', `There is no route ${method} ${path}`);
}
