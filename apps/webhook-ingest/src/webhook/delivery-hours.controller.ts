import { Open } from '@gondola/service-kit/http/answer-fields';
import { ApiOkResponse, ApiOperation } from '@gondola/service-kit/http/api-docs';
import { Operation } from '@gondola/service-kit/http/operation';
import { ApiErrors } from '@gondola/service-kit/http/error.dto';
import { QueryParameter } from '@gondola/service-kit/http/request-fields';
import { RequestPipe } from '@gondola/service-kit/http/request.pipe';
import { Controller, Get, Query, UsePipes } from '@nestjs/common';
import { WRONG } from '../inbox/operations.dto.ts';
import { DeliveryHours, type DeliveryHour, RECEIVED_OUTCOMES, type ReceivedOutcome } from './delivery-hours.service.ts';

class HoursQuery {
  @QueryParameter('Only deliveries of this tenant')
  readonly tenant?: string;
}

class ShownHour implements DeliveryHour {
  @Open({ description: 'Begin of the hour' })
  readonly hour!: Date;

  @Open()
  readonly tenant!: string;

  @Open({
    enum: RECEIVED_OUTCOMES,
    description: 'repeated: it had come before; the last two were not answered 200',
  })
  readonly outcome!: ReceivedOutcome;

  @Open({ type: 'integer' })
  readonly deliveries!: number;
}

class ShownHours {
  @Open({ type: [ShownHour], description: 'Hours without deliveries are left out' })
  readonly hours!: readonly DeliveryHour[];
}

/** Deliveries of the last 48 hours. */
@Controller('api/deliveries')
@UsePipes(RequestPipe)
export class DeliveryHoursController {
  constructor(private readonly deliveries: DeliveryHours) {}

  @Get('hours')
  @Operation({ role: 'see', tenant: 'query' })
  @ApiOperation({ summary: 'Webhook deliveries of the last 48 hours by hour, tenant and outcome' })
  @ApiOkResponse({ description: 'OK', type: ShownHours })
  @ApiErrors({ 400: WRONG })
  async hours(@Query() { tenant }: HoursQuery): Promise<ShownHours> {
    return { hours: await this.deliveries.list(tenant ?? null) };
  }
}
