import { Injectable, NotFoundException, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { SwitchBoard } from '../../application/switch-board.ts';
import { LOOSE_ENTITIES, type LooseEntity } from '../../domain/catalog/loose-record.ts';
import type { Behaviour } from '../../domain/behaviour.ts';

const BATCHES = '/v1/batch/';

/** Whose records a batch path takes; undefined where none of the three routes lies there now. */
export function entityOfPath(url: string, { batchPaths }: Pick<Behaviour, 'batchPaths'>): LooseEntity | undefined {
  const path = (url.split('?', 1)[0] ?? '').slice(BATCHES.length);
  return LOOSE_ENTITIES.find((entity) => batchPaths[entity] === path);
}

/** Before anything else: where no route lies, credentials do not matter. */
@Injectable()
export class BatchPathGuard implements CanActivate {
  constructor(private readonly switches: SwitchBoard) {}

  canActivate(context: ExecutionContext): boolean {
    const { method, url } = context.switchToHttp().getRequest<FastifyRequest>();
    if (entityOfPath(url, this.switches.behaviour) !== undefined) return true;
    const message = `There is no route ${method} ${url.split('?', 1)[0] ?? ''}`;
    throw new NotFoundException({ code: 'ROUTE_UNKNOWN', message });
  }
}
