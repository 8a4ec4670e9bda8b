import { Module } from '@nestjs/common';
import { LanesModule } from '../lanes/lanes.module.ts';
import { AskCommand } from './ask-command.service.ts';
import { CommandsController } from './commands.controller.ts';
import { OperationsMetrics } from './operations.metrics.ts';
import { OrderSearchRepository } from './order-search.repository.ts';
import { OrdersController } from './orders.controller.ts';
import { ShowCommand } from './show-command.service.ts';
import { ShowDetails } from './show-details.service.ts';
import { ShowOrder } from './show-order.service.ts';

/** `/api/orders`, `/api/commands` and `/api/counts`. */
@Module({
  imports: [LanesModule],
  controllers: [OrdersController, CommandsController],
  providers: [ShowOrder, ShowDetails, ShowCommand, AskCommand, OrderSearchRepository, OperationsMetrics],
})
export class OperationsModule {}
