import { ApiErrors } from '@gondola/service-kit/http/error.dto';
import { ApiTenantQuery, TenantPipe } from '@gondola/service-kit/http/tenant.pipe';
import {
  BadRequestException,
  Body,
  Controller,
  Get,
  HttpCode,
  NotFoundException,
  Param,
  PayloadTooLargeException,
  Post,
  Query,
  Req,
} from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiOkResponse, ApiOperation } from '@gondola/service-kit/http/api-docs';
import { CommandLine, Operation } from '@gondola/service-kit/http/operation';
import { FileCommandBody, ShownFileCommand, TakenCommand } from './commands.dto.ts';
import { GiveCommand } from './give-command.service.ts';
import { ShowFiles } from './show-files.service.ts';

/** The file commands of the contract for clients without Kafka, such as the command line. */
@Controller('api/commands')
export class CommandsController {
  constructor(
    private readonly giving: GiveCommand,
    private readonly showing: ShowFiles,
  ) {}

  /** The outcome follows as a result on the topic, and can be read by the command's id. */
  @Post()
  @Operation({ role: 'act', tenant: 'body', action: { name: 'give-file-command', subject: 'commandId' } })
  @CommandLine('files/give')
  @HttpCode(202)
  @ApiOperation({ summary: 'Gives a file command, as a record of the ERP would; it ends in one result on the topic' })
  @ApiBody({ type: FileCommandBody })
  @ApiAcceptedResponse({ description: 'The command is accepted and will be carried out', type: TakenCommand })
  @ApiErrors({ 400: 'The body has no usable commandId, command or tenant', 413: 'Larger than 256 KiB' })
  async give(
    @Body() command: unknown,
    @Req() { traceparent }: { readonly traceparent: string },
  ): Promise<TakenCommand> {
    const given = await this.giving.run(command, traceparent);
    if (given.kind === 'not-a-command') throw new BadRequestException(given.reason);
    if (given.kind === 'too-large') throw new PayloadTooLargeException('A command has at most 256 KiB');
    return { tenant: given.tenant, commandId: given.commandId };
  }

  @Get(':commandId')
  @Operation({
    role: 'see',
    tenant: 'query',
    reveals: 'unmasked',
    action: { name: 'reveal-file-command', subject: 'commandId' },
  })
  @CommandLine('files/outcome')
  @ApiOperation({ summary: 'What became of a command, or what it waits for' })
  @ApiTenantQuery()
  @ApiOkResponse({ description: 'OK', type: ShownFileCommand })
  @ApiErrors({ 404: 'No command has this id' })
  async show(
    @Param('commandId') commandId: string,
    @Query('tenant', TenantPipe) tenant: string,
  ): Promise<ShownFileCommand> {
    const shown = await this.showing.command(tenant, commandId);
    if (shown === null) throw new NotFoundException();
    return shown;
  }
}
