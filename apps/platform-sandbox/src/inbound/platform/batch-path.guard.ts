import { Injectable, NotFoundException, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { SwitchBoard } from '../../application/switch-board.ts';
import { LOOSE_ENTITIES, type LooseEntity } from '../../domain/catalog/loose-record.ts';
import type { Behaviour } from '../../domain/behaviour.ts';

const BATCHES = '/v1/batch/';

type Call = Pick<FastifyRequest, 'method' | 'url'>;

/** Whose records a batch path takes; where none of the three routes lies now, the call is answered 404. */
export function entityOf({ method, url }: Call, { batchPaths }: Pick<Behaviour, 'batchPaths'>): LooseEntity {
  const path = url.split('?', 1)[0] ?? '';
  const entity = LOOSE_ENTITIES.find((one) => `${BATCHES}${batchPaths[one]}` === path);
  if (entity !== undefined) return entity;
  throw new NotFoundException({ code: 'ROUTE_UNKNOWN', message: `There is no route ${method} ${path}` });
}

/** Before anything else: where no route lies, credentials do not matter. */
@Injectable()
export class BatchPathGuard implements CanActivate {
  constructor(private readonly switches: SwitchBoard) {}

  canActivate(context: ExecutionContext): boolean {
    entityOf(context.switchToHttp().getRequest<FastifyRequest>(), this.switches.behaviour);
    return true;
  }
}
