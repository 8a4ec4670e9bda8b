import {
  BadRequestException,
  ConflictException,
  Controller,
  Get,
  HttpCode,
  Inject,
  NotFoundException,
  Param,
  Post,
  Query,
} from '@nestjs/common';

import { auditShown } from '@gondola/service-kit/logging/audit';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { TOPIC_NAMES } from '@gondola/shared/topics/topics';

import { type DeadLetter, type DeadLetterSummary, DeadLetters, NotRedrivableError } from './dead-letters.ts';

/** Bytes for people (`text`, where they are UTF-8) and for programs. */
interface Content {
  readonly base64: string;
  readonly text: string | null;
}

/**
 * The fields that anyone may see: key, value and headers are the writer's and may be personal, so only how long they
 * are, and headers' names.
 */
interface DeadLetterView extends DeadLetterSummary {
  readonly keyBytes: number | null;
  readonly valueBytes: number | null;
  readonly headers: ReadonlyArray<{ readonly name: string; readonly bytes: number | null }>;
}

/** With the content. */
interface DeadLetterWithBody extends DeadLetterView {
  readonly key: Content | null;
  readonly value: Content | null;
  readonly headers: ReadonlyArray<DeadLetterView['headers'][number] & { readonly value: Content | null }>;
}

interface DeadLetterPage {
  readonly deadLetters: DeadLetterSummary[];
  /** To be given as `before` for the next page; null on the last one. */
  readonly next: string | null;
}

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

/** An app's own dead letters (contract, "HTTP"). An id has slashes, which stand as `%2F` in the path. */
@Controller('api/dead-letters')
export class DeadLettersController {
  readonly #deadLetters: DeadLetters;
  readonly #logger: Logger;

  constructor(deadLetters: DeadLetters, @Inject(LOGGER) logger: Logger) {
    this.#deadLetters = deadLetters;
    this.#logger = logger;
  }

  /** The newest first, without their content. */
  @Get()
  async list(
    @Query('topic') topic?: string,
    @Query('before') before?: string,
    @Query('limit') limit?: string,
  ): Promise<DeadLetterPage> {
    const wanted = limitOf(limit);
    const name = TOPIC_NAMES.find((each) => each === topic);
    if (topic !== undefined && name === undefined) throw new BadRequestException(`Unknown topic: ${topic}`);
    const found = await this.#deadLetters.list({
      ...(name === undefined ? {} : { topic: name }),
      ...(before === undefined ? {} : { before }),
      limit: wanted + 1,
    });
    const deadLetters = found.slice(0, wanted);
    return { deadLetters, next: found.length > wanted ? (deadLetters.at(-1)?.id ?? null) : null };
  }

  /** Its content only with `?body=true`, which leaves a line in the log. */
  @Get(':id')
  async find(@Param('id') id: string, @Query('body') body?: string): Promise<DeadLetterView | DeadLetterWithBody> {
    const letter = await this.#deadLetters.find(id);
    if (letter === null) throw new NotFoundException();
    if (body !== 'true') return withoutBody(letter);
    auditShown(this.#logger, { kind: 'dead-letter', deadLetterId: id, bytes: letter.value?.length ?? 0 });
    return withBody(letter);
  }

  /** Puts the original record into the outbox, for this app's group alone. */
  @Post(':id/redrive')
  @HttpCode(202)
  async redrive(@Param('id') id: string): Promise<{ id: string; redriven: number }> {
    const redriven = await this.#deadLetters.redrive(id).catch((error: unknown) => {
      throw error instanceof NotRedrivableError ? new ConflictException(error.message) : error;
    });
    if (redriven === null) throw new NotFoundException();
    return { id, redriven };
  }
}

function limitOf(text: string | undefined): number {
  const limit = Number(text ?? DEFAULT_LIMIT);
  return Number.isInteger(limit) && limit > 0 ? Math.min(limit, MAX_LIMIT) : DEFAULT_LIMIT;
}

function withoutBody({ key, value, headers, ...summary }: DeadLetter): DeadLetterView {
  return {
    ...summary,
    keyBytes: key?.length ?? null,
    valueBytes: value?.length ?? null,
    headers: headers.map(([name, bytes]) => ({ name, bytes: bytes?.length ?? null })),
  };
}

function withBody(letter: DeadLetter): DeadLetterWithBody {
  return {
    ...withoutBody(letter),
    key: contentOf(letter.key),
    value: contentOf(letter.value),
    headers: letter.headers.map(([name, bytes]) => ({ name, bytes: bytes?.length ?? null, value: contentOf(bytes) })),
  };
}

function contentOf(bytes: Buffer | null): Content | null {
  if (bytes === null) return null;
  const text = bytes.toString('utf8');
  return { base64: bytes.toString('base64'), text: Buffer.from(text, 'utf8').equals(bytes) ? text : null };
}
