import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { z } from 'zod';
import { SwitchBoard } from '../../application/switch-board.ts';
import type { Behaviour } from '../../domain/behaviour.ts';
import { AdminBody } from '../http/body.decorator.ts';

const batchPath = z.string().regex(/^[\w-]+(\/[\w-]+)*$/, 'must be a path below /v1/batch/, without a slash in front');

const BehaviourBody = z.strictObject({
  invoicedByItself: z.boolean().exactOptional(),
  invoiceAnswer: z.enum(['url', 'file']).exactOptional(),
  cancelOperationIds: z.enum(['one', 'two']).exactOptional(),
  cancellationMs: z.int().min(0).max(600_000).exactOptional(),
  refundsByItself: z.boolean().exactOptional(),
  authorization: z.enum(['as-sent', 'with-scheme']).exactOptional(),
  successEvents: z.enum(['none', 'told']).exactOptional(),
  batchPaths: z.strictObject({ SKUPricing: batchPath, Warehouse: batchPath, WarehouseSKU: batchPath }).exactOptional(),
});

/** What the platform does where its document leaves it open. */
@Controller('admin/switches')
export class AdminSwitchesController {
  constructor(private readonly switches: SwitchBoard) {}

  @Get()
  read(): Behaviour {
    return this.switches.behaviour;
  }

  /** Changes those that are named; a restart keeps them, a reset does not. */
  @Post()
  @HttpCode(200)
  async change(@AdminBody(BehaviourBody) changed: z.output<typeof BehaviourBody>): Promise<Behaviour> {
    return this.switches.change(changed);
  }
}
