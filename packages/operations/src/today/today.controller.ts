import { Controller, Get, Query, UsePipes } from '@nestjs/common';

import { ApiOkResponse, ApiOperation } from '@gondola/service-kit/http/api-docs';
import { CommandLine, Operation } from '@gondola/service-kit/http/operation';
import { ApiErrors } from '@gondola/service-kit/http/error.dto';
import { RequestPipe } from '@gondola/service-kit/http/request.pipe';
import { Clock } from '@gondola/service-kit/run/clock';

import type { RelayBacklog } from '@gondola/lanes/outbox/relay-source';
import type { PlatformPause } from '@gondola/lanes/pauses/pauses.dto';
import { type ReadyQueue, type RefusedTopicToday, type StuckLane, Today, TodayQuery } from './today.dto.ts';

/** Waiting work of an app; an app without lanes has neither queues, stuck lanes nor pauses. */
export abstract class TodaySource {
  abstract backlog(): Promise<RelayBacklog>;

  /** Topics that Kafka refuses. */
  abstract refused(now: number): readonly RefusedTopicToday[];

  async queues(_tenant: string | null): Promise<readonly ReadyQueue[]> {
    return [];
  }

  async stuck(_tenant: string | null): Promise<readonly StuckLane[]> {
    return [];
  }

  async pauses(_tenant: string | null): Promise<readonly PlatformPause[]> {
    return [];
  }
}

/** Shows operators the waiting work of this app (contract, "HTTP"). */
@Controller('api/today')
@UsePipes(RequestPipe)
export class TodayController {
  constructor(
    private readonly source: TodaySource,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Operation({ role: 'see', tenant: 'query' })
  @CommandLine('stuck list', {
    pt: 'Lista os pedidos, produtos e outros parados de todos os aplicativos, com os seus comandos em aberto; commands withdraw retira o de um pedido que não foi enviado',
    en: 'Lists the stuck orders, products and others of all apps, with their open commands; commands withdraw ends one of an order that was not sent',
  })
  @ApiOperation({
    summary:
      'The oldest waiting work, entities whose steps fail, records that Kafka has not taken, and pauses of the platform',
  })
  @ApiOkResponse({ description: 'OK', type: Today })
  @ApiErrors({ 400: 'There is no such parameter' })
  async show(@Query() { tenant }: TodayQuery): Promise<Today> {
    const [queues, stuck, { records: waiting, parked, oldestMs }, pauses] = await Promise.all([
      this.source.queues(tenant ?? null),
      this.source.stuck(tenant ?? null),
      this.source.backlog(),
      this.source.pauses(tenant ?? null),
    ]);
    const oldestAt = oldestMs === null ? null : new Date(this.clock.now() - oldestMs);
    const refused = this.source.refused(this.clock.now());
    return { queues, stuck, outbox: { waiting, oldestAt, parked, refused }, pauses };
  }
}
