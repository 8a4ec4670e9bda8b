import {
  BadRequestException,
  Body,
  Controller,
  Get,
  HttpCode,
  Inject,
  Post,
  Query,
  UseInterceptors,
} from '@nestjs/common';
import { orderNumberText } from '@gondola/shared/topics/identities';
import { EraseOrder } from './erase-order.service.ts';
import { CONFIG } from '@gondola/service-kit/run/injected';
import type { Config } from '../config.ts';
import { type Erasure, ErasuresRepository } from './erasures.repository.ts';
import { DatabaseAwayInterceptor } from '../operations/database-away.interceptor.ts';
import {
  bodyFields,
  onlyParams,
  pageOf,
  type PageOf,
  pageParams,
  type QueryParams,
  textParam,
} from '../operations/request-fields.dto.ts';

/** Erases what is stored about an order's customer, and lists these requests. */
@Controller('api/erasures')
@UseInterceptors(DatabaseAwayInterceptor)
export class ErasuresController {
  readonly #erasing: EraseOrder;
  readonly #erasures: ErasuresRepository;
  readonly #tenants: readonly string[];

  constructor(erasing: EraseOrder, erasures: ErasuresRepository, @Inject(CONFIG) config: Config) {
    this.#erasing = erasing;
    this.#erasures = erasures;
    this.#tenants = config.tenants.map(({ id }) => id);
  }

  @Post()
  @HttpCode(200)
  async erase(@Body() body: unknown): Promise<Erasure> {
    const { tenant, orderNumber, confirm } = bodyFields(body, ['tenant', 'orderNumber', 'confirm']);
    const known = this.#tenants.find((id) => id === tenant);
    if (known === undefined) {
      throw new BadRequestException(`tenant is one of the tenants file: ${this.#tenants.join(', ')}`);
    }
    const number = orderNumberText(orderNumber);
    if (number === null) throw new BadRequestException('orderNumber is the whole number of an order');
    if (confirm !== true) {
      throw new BadRequestException('Erasing cannot be undone; it is done with confirm: true');
    }
    return this.#erasing.run(known, number);
  }

  @Get()
  async list(@Query() query: QueryParams): Promise<PageOf<Erasure>> {
    onlyParams(query, ['tenant', 'before', 'limit']);
    const { before, limit } = pageParams(query);
    return pageOf(await this.#erasures.list(textParam(query, 'tenant'), before, limit + 1), limit);
  }
}
