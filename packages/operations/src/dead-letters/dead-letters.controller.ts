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
  UsePipes,
} from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiParam } from '@gondola/service-kit/http/api-docs';
import { CommandLine, Operation } from '@gondola/service-kit/http/operation';

import { RequestPipe } from '@gondola/service-kit/http/request.pipe';
import { ApiErrors } from '@gondola/service-kit/http/error.dto';
import { auditShown } from '@gondola/service-kit/logging/audit';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';

import {
  type Bytes,
  DEFAULT_LIMIT,
  DeadLetter,
  DeadLetterGroups,
  DeadLetterGroupsQuery,
  DeadLetterPage,
  DeadLetterBodyQuery,
  DeadLettersQuery,
  DiscardRequest,
  Redriven,
} from '@gondola/lanes/dead-letters/dead-letters.dto';
import {
  type DeadLetter as StoredLetter,
  DeadLetters,
  NotRedrivableError,
} from '@gondola/lanes/dead-letters/dead-letters';
import { OpenDeadLetters } from './open-dead-letters.ts';

const ID = { name: 'id', description: 'Percent-encoded, since an id contains slashes' };
const UNKNOWN = 'No such dead letter';
const WRONG = 'A parameter or a field is wrong; the message says what would be right';

/** An app's own dead letters (contract, "HTTP"). An id contains slashes, which are written as `%2F` in the path. */
@Controller('api/dead-letters')
@UsePipes(RequestPipe)
export class DeadLettersController {
  readonly #deadLetters: DeadLetters;
  readonly #open: OpenDeadLetters;
  readonly #logger: Logger;

  constructor(deadLetters: DeadLetters, open: OpenDeadLetters, @Inject(LOGGER) logger: Logger) {
    this.#deadLetters = deadLetters;
    this.#open = open;
    this.#logger = logger;
  }

  /** Newest first, without content. */
  @Get()
  @Operation({ role: 'see', tenant: 'query' })
  @CommandLine('dead-letters list', {
    pt: 'Lista as dead letters de todos os aplicativos, as mais recentes primeiro',
    en: 'Lists the dead letters of all apps, newest first',
  })
  @ApiOperation({ summary: 'Lists the records that could not be handled, newest first' })
  @ApiOkResponse({ description: 'A page of dead letters', type: DeadLetterPage })
  @ApiErrors({ 400: WRONG })
  async list(@Query() { limit, ...filter }: DeadLettersQuery): Promise<DeadLetterPage> {
    const wanted = Number(limit ?? DEFAULT_LIMIT);
    const found = await this.#deadLetters.list({ ...filter, limit: wanted + 1 });
    const deadLetters = found.slice(0, wanted);
    return { deadLetters, next: found.length > wanted ? (deadLetters.at(-1)?.id ?? null) : null };
  }

  @Get('groups')
  @Operation({ role: 'see', tenant: 'query' })
  @ApiOperation({ summary: 'Open dead letters by tenant, reason and topic, at most 200 groups' })
  @ApiOkResponse({ description: 'OK', type: DeadLetterGroups })
  @ApiErrors({ 400: WRONG })
  async groups(@Query() { tenant }: DeadLetterGroupsQuery): Promise<DeadLetterGroups> {
    return { groups: await this.#open.groups(tenant ?? null) };
  }

  /** Includes the content only with `?body=true`, which is logged. */
  @Get(':id')
  @Operation({ role: 'see', tenant: 'answer', reveals: 'body', action: { name: 'reveal-dead-letter', subject: 'id' } })
  @CommandLine('dead-letters show', { pt: 'Mostra uma dead letter', en: 'Shows a dead letter' })
  @ApiOperation({
    summary: 'Returns one dead letter; key, value and header values only on request, since they may be personal',
  })
  @ApiParam(ID)
  @ApiOkResponse({ description: 'The dead letter', type: DeadLetter })
  @ApiErrors({ 400: WRONG, 404: UNKNOWN })
  async find(@Param('id') id: string, @Query() { body }: DeadLetterBodyQuery): Promise<DeadLetter> {
    const letter = await this.#deadLetters.find(id);
    if (letter === null) throw new NotFoundException();
    if (body !== 'true') return withoutBody(letter);
    auditShown(this.#logger, { kind: 'dead-letter', deadLetterId: id, bytes: letter.value?.length ?? 0 });
    return withBody(letter);
  }

  /** Puts the original record into the outbox, for this app's consumer group alone. */
  @Post(':id/redrive')
  @Operation({
    role: 'act',
    tenant: { at: '/api/dead-letters/{id}' },
    action: { name: 'redrive-dead-letter', subject: 'id' },
  })
  @CommandLine('dead-letters redrive', {
    pt: 'Publica o registro original de novo, byte a byte, só para o grupo que falhou: de uma dead letter, ou de todas as que combinam, como um trabalho; de todas, sem --confirm só mostra quantas',
    en: 'Publishes the original record again, byte for byte, only for the group that failed: of one dead letter, or of all that match, as a job; of all, without --confirm only shows how many',
  })
  @HttpCode(202)
  @ApiOperation({ summary: 'Publishes the original record to its topic again, for this app alone' })
  @ApiParam(ID)
  @ApiAcceptedResponse({ description: 'The record will be published', type: Redriven })
  @ApiErrors({ 404: UNKNOWN, 409: 'The dead letter is a batch that could not be read, or its content is erased' })
  async redrive(@Param('id') id: string): Promise<Redriven> {
    const redriven = await this.#deadLetters.redrive(id).catch((error: unknown) => {
      throw error instanceof NotRedrivableError ? new ConflictException(error.message) : error;
    });
    if (redriven === null) throw new NotFoundException();
    return { id, redriven };
  }

  @Post(':id/discard')
  @Operation({
    role: 'act',
    tenant: { at: '/api/dead-letters/{id}' },
    action: { name: 'discard-dead-letter', subject: 'id' },
  })
  @HttpCode(200)
  @ApiOperation({ summary: 'Marks a dead letter as of no use; its content is stored as long as any other' })
  @ApiParam(ID)
  @ApiOkResponse({ description: 'The dead letter; the note of the first time stays', type: DeadLetter })
  @ApiErrors({ 400: 'note is missing', 404: UNKNOWN })
  async discard(@Param('id') id: string, @Body() { note }: DiscardRequest): Promise<DeadLetter> {
    if (!(await this.#deadLetters.discard(id, note.trim()))) throw new NotFoundException();
    return this.find(id, {});
  }
}

function withoutBody({ key, value, headers, ...summary }: StoredLetter) {
  return {
    ...summary,
    keyBytes: key?.length ?? null,
    valueBytes: value?.length ?? null,
    headers: headers.map(([name, bytes]) => ({ name, bytes: bytes?.length ?? null })),
  } satisfies DeadLetter;
}

function withBody(letter: StoredLetter): DeadLetter {
  return {
    ...withoutBody(letter),
    key: contentOf(letter.key),
    value: contentOf(letter.value),
    headers: letter.headers.map(([name, bytes]) => ({ name, bytes: bytes?.length ?? null, value: contentOf(bytes) })),
  };
}

function contentOf(bytes: Buffer | null): Bytes | null {
  if (bytes === null) return null;
  const text = bytes.toString('utf8');
  return { base64: bytes.toString('base64'), text: Buffer.from(text, 'utf8').equals(bytes) ? text : null };
}
