import { BadRequestException, Controller, Get, HttpCode, NotFoundException, Param, Post, Query } from '@nestjs/common';

import { TOPIC_NAMES } from '@gondola/shared/topics';

import { type DeadLetterSummary, DeadLetters } from './dead-letters.ts';
import type { RawHeaders } from './record-codec.ts';

/** Bytes for people (`text`, where they are UTF-8) and for programs. */
interface Content {
  readonly base64: string;
  readonly text: string | null;
}

interface DeadLetterView extends DeadLetterSummary {
  readonly key: Content | null;
  readonly value: Content | null;
  readonly headers: ReadonlyArray<{ readonly name: string; readonly value: Content | null }>;
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

  constructor(deadLetters: DeadLetters) {
    this.#deadLetters = deadLetters;
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

  @Get(':id')
  async find(@Param('id') id: string): Promise<DeadLetterView> {
    const letter = await this.#deadLetters.find(id);
    if (letter === null) throw new NotFoundException();
    return {
      ...letter,
      key: contentOf(letter.key),
      value: contentOf(letter.value),
      headers: namedContents(letter.headers),
    };
  }

  /** Puts the original record into the outbox, for this app's group alone. */
  @Post(':id/redrive')
  @HttpCode(202)
  async redrive(@Param('id') id: string): Promise<{ id: string; redriven: number }> {
    const redriven = await this.#deadLetters.redrive(id);
    if (redriven === null) throw new NotFoundException();
    return { id, redriven };
  }
}

function limitOf(text: string | undefined): number {
  const limit = Number(text ?? DEFAULT_LIMIT);
  return Number.isInteger(limit) && limit > 0 ? Math.min(limit, MAX_LIMIT) : DEFAULT_LIMIT;
}

function namedContents(headers: RawHeaders): DeadLetterView['headers'] {
  return headers.map(([name, value]) => ({ name, value: contentOf(value) }));
}

function contentOf(bytes: Buffer | null): Content | null {
  if (bytes === null) return null;
  const text = bytes.toString('utf8');
  return { base64: bytes.toString('base64'), text: Buffer.from(text, 'utf8').equals(bytes) ? text : null };
}
