import {
  Injectable,
  NotFoundException,
  Post,
  Req,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AcceptOperation, type Accepted } from '../core/accept-operation.service.ts';
import { JsonBody } from '../http/body.decorator.ts';
import { CurrentCaller, type Caller } from '../http/caller.decorator.ts';
import { IntegrationRoutes, Queues, batchOf } from '../http/integration-routes.decorator.ts';
import { A_GUID } from '../openapi/schemas.ts';
import type { Behaviour } from '../switches/behaviour.ts';
import { SwitchBoard } from '../switches/switch-board.service.ts';
import { isJsonArray, type Json } from '../values/exact-json.ts';
import { LOOSE_ENTITIES, type LooseEntity } from './loose-record.ts';
import type { LoosePayload } from './take-records.service.ts';

/** Runs before the credentials are checked: an unknown path is answered 404 with any credentials. */
@Injectable()
class BatchPathGuard implements CanActivate {
  constructor(private readonly switches: SwitchBoard) {}

  canActivate(context: ExecutionContext): boolean {
    entityOf(context.switchToHttp().getRequest<FastifyRequest>(), this.switches.behaviour);
    return true;
  }
}

/**
 * Prices, warehouses and stock: any JSON is accepted (docs/platform.md, "Catalog"; the document does not show their
 * payloads).
 */
@IntegrationRoutes('v1/batch')
@UseGuards(BatchPathGuard)
export class PricesAndStockController {
  constructor(
    private readonly core: AcceptOperation,
    private readonly switches: SwitchBoard,
  ) {}

  // The wildcard serves the paths that the switch `batchPaths` sets.
  @Post(['Pricing', 'Warehouses', 'Warehouses/sku', '*'])
  @Queues('answer shown', {
    '/v1/batch/Pricing': batchOf('Prices', [{ skuId: A_GUID, commercialPolicyId: A_GUID }]),
    '/v1/batch/Warehouses': batchOf('Warehouses', [{ id: 'cd-01' }]),
    '/v1/batch/Warehouses/sku': batchOf('Stock of SKUs in warehouses', [{}]),
  })
  async load(
    @Req() request: FastifyRequest,
    @JsonBody() body: Json,
    @CurrentCaller() caller: Caller,
  ): Promise<Accepted> {
    const entity = entityOf(request, this.switches.behaviour);
    // A single object is a batch of one: the document does not show that these bodies are lists.
    const items = isJsonArray(body) ? body : [body];
    const payloads = items.map((item): LoosePayload => ({ entity, item }));
    return this.core.accept(caller, 'loose-record', payloads);
  }
}

/** Entity of a batch path; a path that is currently none of the three routes is answered 404. */
function entityOf(
  { method, url }: Pick<FastifyRequest, 'method' | 'url'>,
  { batchPaths }: Pick<Behaviour, 'batchPaths'>,
): LooseEntity {
  const path = url.split('?', 1)[0] ?? '';
  const entity = LOOSE_ENTITIES.find((one) => `/v1/batch/${batchPaths[one]}` === path);
  if (entity !== undefined) return entity;
  throw new NotFoundException({ code: 'ROUTE_UNKNOWN', message: `There is no route ${method} ${path}` });
}
