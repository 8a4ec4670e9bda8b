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
import { ApiAcceptedResponse, ApiOperation, ApiPropertyOptional } from '@gondola/service-kit/http/api-docs';
import { CommandLine, Operation } from '@gondola/service-kit/http/operation';
import { LoadWithTrouble } from '../intake/loads.dto.ts';
import { ShowLoads } from '../intake/show-loads.service.ts';
import { BeginResend } from './begin-resend.service.ts';
import { RESEND, type ResendSelection } from '../records/resend.ts';
import { Allow } from 'class-validator';

const ID_BYTES = 12;

/** A request to send the known state of the shop again; `selectionOf` checks it. */
export class ResendRequest {
  @ApiPropertyOptional({ type: String, description: 'The reference of a product' })
  @Allow()
  readonly product?: unknown;

  @ApiPropertyOptional({ type: String, description: 'The reference of a category: it, those below it, their products' })
  @Allow()
  readonly category?: unknown;

  @ApiPropertyOptional({ enum: [true], description: 'Brands, categories and products' })
  @Allow()
  readonly everything?: unknown;
}

/** Sends the known state of the shop again. */
@Controller('api/resends')
@UsePipes(RequestPipe)
export class ResendsController {
  constructor(
    private readonly resend: BeginResend,
    private readonly show: ShowLoads,
    private readonly randomness: Randomness,
  ) {}

  @Post()
  @Operation({ role: 'act', tenant: 'query', action: { name: 'resend-products' } })
  @CommandLine('catalog resend', {
    pt: 'Envia de novo os produtos da loja, depois de todos os registros novos; o ERP não recebe resultados',
    en: 'Sends products of the shop again, after all new records; the ERP receives no results',
  })
  @HttpCode(202)
  @ApiOperation({ summary: 'Sends known records of the shop again, after all new records; a load shows the progress' })
  @ApiTenantQuery()
  @ApiAcceptedResponse({ description: 'The resend has begun and continues by itself', type: LoadWithTrouble })
  @ApiErrors({ 404: 'Gondola has sent nothing of this selection to the shop' })
  async begin(@Body() body: ResendRequest, @Query('tenant', TenantPipe) tenant: string): Promise<LoadWithTrouble> {
    const selection = selectionOf(body);
    if (selection === null)
      throw new BadRequestException('The body must name exactly one of product, category and everything: true');
    const loadId = `${RESEND}-${Buffer.from(this.randomness.bytes(ID_BYTES)).toString('hex')}`;
    const items = await this.resend.run({ tenant, loadId }, selection);
    const load = items === null || items === 0 ? null : await this.show.one({ tenant, loadId });
    if (load === null)
      throw new NotFoundException({
        code: 'NOT_FOUND',
        message: 'Gondola has sent nothing of this selection to the shop',
      });
    return load;
  }
}

/** Null unless exactly one selection is given. */
function selectionOf({ product, category, everything }: ResendRequest): ResendSelection | null {
  const asked: ResendSelection[] = [
    ...(typeof product === 'string' ? [{ kind: 'product', externalReference: product } as const] : []),
    ...(typeof category === 'string' ? [{ kind: 'category', externalReference: category } as const] : []),
    ...(everything === true ? [{ kind: 'everything' } as const] : []),
  ];
  const given = [product, category, everything].filter((each) => each !== undefined);
  return asked.length === 1 && given.length === 1 ? asked[0]! : null;
}
