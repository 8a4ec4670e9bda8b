import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { ApiErrors } from '@gondola/service-kit/http/error.dto';
import { RequestPipe } from '@gondola/service-kit/http/request.pipe';
import { tenantOfRequest } from '@gondola/service-kit/http/tenant-of-request';
import { TENANTS } from '@gondola/service-kit/config/injected';
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
  UsePipes,
} from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation } from '@gondola/service-kit/http/api-docs';
import { CommandLine, Operation } from '@gondola/service-kit/http/operation';
import { AskCommand } from './ask-command.service.ts';
import { AskedWithdrawal, CommandQuery, ShownOrderCommand, Withdrawal } from './commands.dto.ts';
import { ShowCommand } from './show-command.service.ts';

const WRONG = 'A parameter is wrong, or tenant is missing where there are several';
const UNKNOWN = 'No command has this id';

/** Shows and withdraws commands of the ERP. */
@Controller('api/commands')
@UsePipes(RequestPipe)
export class CommandsController {
  constructor(
    private readonly showing: ShowCommand,
    private readonly asking: AskCommand,
    @Inject(TENANTS) private readonly tenants: ReadonlyArray<Pick<TenantConfig, 'id'>>,
  ) {}

  @Get(':commandId')
  @Operation({
    role: 'see',
    tenant: 'query',
    reveals: 'unmasked',
    action: { name: 'reveal-command', subject: 'commandId' },
  })
  @CommandLine('commands show', {
    pt: 'Mostra o resultado de um comando, ou o que ele espera',
    en: 'Shows the outcome of a command, or what the command waits for',
  })
  @ApiOperation({ summary: 'What became of a command, or what it waits for' })
  @ApiOkResponse({ description: 'OK', type: ShownOrderCommand })
  @ApiErrors({ 400: WRONG, 404: UNKNOWN })
  async show(@Param('commandId') commandId: string, @Query() query: CommandQuery): Promise<ShownOrderCommand> {
    const { id: tenant } = tenantOfRequest(query.tenant, this.tenants);
    return (await this.showing.show(tenant, commandId)) ?? notFound();
  }

  /** Requests the withdrawal as the ERP would; the result of the answered command says whether it was in time. */
  @Post(':commandId/withdraw')
  @Operation({ role: 'act', tenant: 'body', action: { name: 'withdraw-command', subject: 'commandId' } })
  @CommandLine('commands withdraw', {
    pt: 'Pede a retirada de um comando, como o ERP faria',
    en: 'Asks for the withdrawal of a command, as the ERP would',
  })
  @HttpCode(202)
  @ApiOperation({
    summary: 'Asks for it to be withdrawn, as a WithdrawCommand of the ERP; the answer names that command',
  })
  @ApiAcceptedResponse({ description: 'It is asked for', type: AskedWithdrawal })
  @ApiErrors({ 400: WRONG, 404: UNKNOWN, 409: 'It has ended, or names no order' })
  async withdraw(
    @Param('commandId') commandId: string,
    @Body() body: Withdrawal,
    @Req() { traceparent }: { readonly traceparent: string },
  ): Promise<AskedWithdrawal> {
    const { id: tenant } = tenantOfRequest(body.tenant, this.tenants);
    const asked = await this.asking.withdraw(tenant, commandId, traceparent);
    switch (asked.kind) {
      case 'asked':
        return { commandId: asked.commandId, withdraws: commandId };
      case 'unknown':
        return notFound();
      case 'ended':
        throw new ConflictException(`The command already has the outcome ${asked.outcome}`);
      default:
        throw new ConflictException('The command names no order, so it cannot be withdrawn');
    }
  }
}

function notFound(): never {
  throw new NotFoundException({ code: 'NOT_FOUND', message: UNKNOWN });
}
