import { Database } from '@gondola/service-kit/database';
import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { z } from 'zod';
import type { Behaviour } from '../../domain/behaviour.ts';
import { SwitchesRepository } from '../../outbound/switches.repository.ts';
import { AdminBody } from '../http/body.decorator.ts';

const BehaviourBody = z.strictObject({
  invoicedByItself: z.boolean().exactOptional(),
  invoiceAnswer: z.enum(['url', 'file']).exactOptional(),
  cancelOperationIds: z.enum(['one', 'two']).exactOptional(),
  cancellationMs: z.int().min(0).max(600_000).exactOptional(),
  refundsByItself: z.boolean().exactOptional(),
});

/** What the platform does where its document leaves it open. */
@Controller('admin/switches')
export class AdminSwitchesController {
  constructor(
    private readonly database: Database,
    private readonly switches: SwitchesRepository,
  ) {}

  @Get()
  async read(): Promise<Behaviour> {
    return this.switches.behaviour(this.database);
  }

  /** Changes those that are named; a restart keeps them, a reset does not. */
  @Post()
  @HttpCode(200)
  async change(@AdminBody(BehaviourBody) changed: z.output<typeof BehaviourBody>): Promise<Behaviour> {
    return this.database.transaction(async (tx) => {
      const behaviour = { ...(await this.switches.behaviour(tx)), ...changed };
      await this.switches.setBehaviour(tx, behaviour);
      return behaviour;
    });
  }
}
