import { Commands } from '@gondola/messaging/commands';
import { Database } from '@gondola/service-kit/database';
import { Controller, Get, Inject, NotFoundException, Param, Query } from '@nestjs/common';
import { CONFIG, type Config } from '../config.ts';
import { operationIdsOf, progressFromText } from '../domain/product-progress.ts';
import { ProductsRepository } from '../outbound/products.repository.ts';

/** What is known of a product, and what its open records wait for. */
@Controller('api/products')
export class ProductsController {
  readonly #database: Database;
  readonly #commands: Commands;
  readonly #products: ProductsRepository;
  readonly #firstTenant: string;

  constructor(database: Database, commands: Commands, products: ProductsRepository, @Inject(CONFIG) config: Config) {
    this.#database = database;
    this.#commands = commands;
    this.#products = products;
    this.#firstTenant = config.tenants[0]!.id;
  }

  @Get(':externalReference')
  async show(@Param('externalReference') externalReference: string, @Query('tenant') tenant = this.#firstTenant) {
    const found = await this.#products.find(this.#database, tenant, externalReference);
    if (found === null) throw new NotFoundException();
    const open = await this.#commands.heads(this.#database, [found.laneId], OPEN_SHOWN);
    return {
      tenant,
      externalReference,
      known: found.known,
      open: open.map(({ commandId, command, receivedAt, attempts, deadlineAt, progress }) => {
        const parsed = progressFromText(progress);
        return {
          commandId,
          command,
          receivedAt,
          attempts,
          deadlineAt,
          blocked: parsed?.blocked ?? null,
          operationIds: parsed === null ? [] : operationIdsOf(parsed),
        };
      }),
    };
  }
}

const OPEN_SHOWN = 50;
