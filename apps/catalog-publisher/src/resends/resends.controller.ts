import { ApiErrors } from '@gondola/service-kit/http/error.dto';
import { RequestPipe } from '@gondola/service-kit/http/request.pipe';
import { ApiTenantQuery, TenantPipe } from '@gondola/service-kit/http/tenant.pipe';
import { Randomness } from '@gondola/service-kit/run/randomness';
import {
  BadRequestException,
  Body,
  Controller,
  HttpCode,
  NotFoundException,
  Post,
  Query,
  UsePipes,
} from '@nestjs/common';
import { ApiAcceptedResponse, ApiOperation } from '@nestjs/swagger';
import { LoadWithTrouble } from '../loads/loads.dto.ts';
import { ShowLoads } from '../loads/show-loads.service.ts';
import { BeginResend } from './begin-resend.service.ts';
import { RESEND } from './resend.ts';
import { ResendRequest, selectionOf } from './resends.dto.ts';

const ID_BYTES = 12;

/** Sends again what the shop is known to have. */
@Controller('api/resends')
@UsePipes(RequestPipe)
export class ResendsController {
  constructor(
    private readonly resend: BeginResend,
    private readonly show: ShowLoads,
    private readonly randomness: Randomness,
  ) {}

  @Post()
  @HttpCode(202)
  @ApiOperation({ summary: 'Sends again what the shop is known to have, behind all that is new; a load says how far' })
  @ApiTenantQuery()
  @ApiAcceptedResponse({ description: 'It has begun, and goes on by itself', type: LoadWithTrouble })
  @ApiErrors({ 404: 'Nothing is known of what is asked for' })
  async begin(@Body() body: ResendRequest, @Query('tenant', TenantPipe) tenant: string): Promise<LoadWithTrouble> {
    const selection = selectionOf(body);
    if (selection === null) throw new BadRequestException('One of product, category and everything: true is asked for');
    const loadId = `${RESEND}-${Buffer.from(this.randomness.bytes(ID_BYTES)).toString('hex')}`;
    const items = await this.resend.run({ tenant, loadId }, selection);
    const load = items === null || items === 0 ? null : await this.show.one({ tenant, loadId });
    if (load === null) throw new NotFoundException({ code: 'NOT_FOUND', message: 'Nothing is known of it' });
    return load;
  }
}
