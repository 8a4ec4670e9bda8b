import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { TENANTS } from '@gondola/service-kit/run/injected';
import {
  Body,
  ConflictException,
  Controller,
  Get,
  HttpCode,
  Inject,
  NotFoundException,
  Param,
  Post,
  Query,
  Req,
} from '@nestjs/common';
import { bodyFields, onlyParams, type QueryParams, tenantOfRequest, textParam } from './operations-request.dto.ts';
import { type CommandView, ShowCommand } from './show-command.service.ts';
import { WithdrawCommand } from './withdraw-command.service.ts';

/** One command of the ERP: what became of it, and how to take it back. */
@Controller('api/commands')
export class CommandsController {
  readonly #tenants: readonly string[];

  constructor(
    private readonly showing: ShowCommand,
    private readonly withdrawing: WithdrawCommand,
    @Inject(TENANTS) tenants: ReadonlyArray<Pick<TenantConfig, 'id'>>,
  ) {
    this.#tenants = tenants.map(({ id }) => id);
  }

  @Get(':commandId')
  async show(@Param('commandId') commandId: string, @Query() query: QueryParams): Promise<CommandView> {
    onlyParams(query, ['tenant']);
    const tenant = tenantOfRequest(textParam(query, 'tenant'), this.#tenants);
    return (await this.showing.show(tenant, commandId)) ?? notFound();
  }

  /** Asks as the ERP would; whether it was in time, the result of the command that is answered says. */
  @Post(':commandId/withdraw')
  @HttpCode(202)
  async withdraw(
    @Param('commandId') commandId: string,
    @Body() body: unknown,
    @Req() { traceparent }: { readonly traceparent: string },
  ): Promise<{ readonly commandId: string; readonly withdraws: string }> {
    const { tenant: named } = bodyFields(body, ['tenant']);
    const tenant = tenantOfRequest(named, this.#tenants);
    const asked = await this.withdrawing.run(tenant, commandId, traceparent);
    switch (asked.kind) {
      case 'asked':
        return { commandId: asked.commandId, withdraws: commandId };
      case 'unknown':
        return notFound();
      case 'ended':
        throw new ConflictException(`The command has ended already: ${asked.outcome}`);
      default:
        throw new ConflictException('The command names no order, so that there is nothing to withdraw');
    }
  }
}

function notFound(): never {
  throw new NotFoundException({ code: 'NOT_FOUND', message: 'No command has this id' });
}
