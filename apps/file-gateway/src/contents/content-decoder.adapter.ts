import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { CONFIG } from '@gondola/service-kit/config/injected';
import { type MediaType, PDF_MEDIA_TYPE } from '@gondola/shared/files/media-types';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type Judgement, judgementFromText } from '../uploads/content-verdict.ts';
import type { Config } from '../config.ts';
import { afterEnds, type EndCause, isOutOfMemory } from './decoder-end.ts';
import { CONTENTS_AT_ONCE, type Kind, KINDS, moreBytes } from './decoder-memory.ts';
import { TenantTurns } from './tenant-turns.ts';

/** Length of the media type (one byte) and of the content (four bytes). */
const HEAD_BYTES = 5;
const MAIN = import.meta.url.endsWith('.ts')
  ? new URL('./decoder.main.ts', import.meta.url)
  : new URL('./decoder.main.js', import.meta.url);

/** Most characters of a process's standard error that are kept. */
const ERROR_CHARACTERS = 4_000;

interface Decoder {
  readonly process: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Resolves when the process has exited. */
  readonly ended: Promise<DecoderEnd>;
}

interface DecoderEnd {
  readonly kind: 'ended';
  /** Exit code or signal. */
  readonly how: string;
  readonly isOutOfMemory: boolean;
}

type Decoding =
  | { readonly kind: 'judged'; readonly judged: Judgement }
  /** The process ended, or was ended because it took too long. */
  | { readonly kind: 'ended'; readonly how: string; readonly cause: EndCause };

interface DecoderConfig {
  readonly pictures: Pick<Config['pictures'], 'maxPixels' | 'checkMs'>;
  readonly uploads: Pick<Config['uploads'], 'maxBytes'>;
}

/** The content to judge. */
export interface JudgedContent {
  readonly tenant: string;
  readonly mediaType: MediaType;
  readonly size: number;
}

/**
 * Decodes contents in separate processes: one for pictures, one for PDFs, each one content at a time, in turns of
 * tenants. A content is read before it takes its turn, so that a slow database delays no other tenant; of each kind,
 * two contents of different tenants are in memory. A content counts as broken or too costly by the answer of a process,
 * or if it took two fresh processes to their limit of memory or time. A process that ends in any other way (killed from
 * outside, crashed) says nothing: the content goes to another one, and after some of them the step fails and is
 * repeated later.
 */
@Injectable()
export class ContentDecoder implements OnApplicationShutdown {
  readonly #limits: DecoderConfig['pictures'] & DecoderConfig['uploads'];
  readonly #decoders = new Map<Kind, Decoder>();
  /** Contents that wait until no other one of their tenant and kind is read or judged. */
  readonly #lines = new Map<string, TenantTurns>();
  /** Contents that are in memory. */
  readonly #rooms = turnsByKind(CONTENTS_AT_ONCE);
  readonly #turns = turnsByKind(1);
  #isStopping = false;

  constructor(@Inject(CONFIG) { pictures, uploads }: DecoderConfig) {
    this.#limits = { ...pictures, maxBytes: uploads.maxBytes };
  }

  /** Ids of the running processes. */
  get processes(): readonly number[] {
    return [...this.#decoders.values()].flatMap(({ process: { pid } }) => pid ?? []);
  }

  /**
   * Decodes a content completely and checks that it matches its media type.
   *
   * @param open opens the content's chunks
   * @throws Error if no process could decode it, for reasons that are not the content's; it can be judged again
   */
  async judge(content: JudgedContent, open: () => AsyncIterable<Uint8Array>): Promise<Judgement> {
    const kind = content.mediaType === PDF_MEDIA_TYPE ? 'pdf' : 'picture';
    const { tenant } = content;
    return this.#line(`${kind} ${tenant}`).run(tenant, () =>
      this.#rooms[kind].run(tenant, async () => {
        const bytes = await wholeOf(content, open());
        return this.#turns[kind].run(tenant, () => this.#judge(kind, content.mediaType, bytes));
      }),
    );
  }

  onApplicationShutdown(): void {
    this.#isStopping = true;
    for (const kind of KINDS) this.#end(kind);
  }

  #line(name: string): TenantTurns {
    const line = this.#lines.get(name) ?? new TenantTurns();
    this.#lines.set(name, line);
    return line;
  }

  async #judge(kind: Kind, mediaType: MediaType, content: Buffer): Promise<Judgement> {
    for (const causes: EndCause[] = []; ;) {
      if (this.#isStopping) throw new Error('The app is stopping; the content is judged later');
      const decoding = await this.#decode(kind, mediaType, content);
      if (decoding.kind === 'judged') return decoding.judged;
      causes.push(decoding.cause);
      const next = afterEnds(causes);
      if (next === 'memory') return { kind: next, limit: moreBytes(kind, this.#limits.maxBytes) };
      if (next === 'time') return { kind: next, limit: this.#limits.checkMs };
      if (next === 'later') {
        throw new Error(`The processes that check contents end (${decoding.how}); the content is judged later`);
      }
    }
  }

  async #decode(kind: Kind, mediaType: MediaType, content: Buffer): Promise<Decoding> {
    const { process: child, ended } = this.#decoders.get(kind) ?? this.#start(kind);
    const answer = once(child.stdout, 'data').then(([bytes]) => (bytes as Buffer).toString());
    const written = Promise.withResolvers<true>();
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt8(mediaType.length, 0);
    head.writeUInt32BE(content.length, 1);
    child.stdin.write(Buffer.concat([head, Buffer.from(mediaType, 'latin1')]));
    // A write that fails is the end of the process.
    child.stdin.write(content, (error) => {
      if (error === null || error === undefined) written.resolve(true);
    });
    // The process has this long to take the content, and then to judge it.
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.#end(kind);
    }, this.#limits.checkMs);
    const hadContent = (await Promise.race([written.promise, ended])) === true;
    timer.refresh();
    const end = await Promise.race([answer, ended]);
    clearTimeout(timer);
    if (typeof end === 'string') return { kind: 'judged', judged: judgementFromText(end) };
    if (isLate) return { ...end, cause: hadContent ? 'time' : 'other' };
    return { ...end, cause: end.isOutOfMemory ? 'memory' : 'other' };
  }

  #start(kind: Kind): Decoder {
    const decoder = start([this.#limits.maxPixels, moreBytes(kind, this.#limits.maxBytes)]);
    this.#decoders.set(kind, decoder);
    void decoder.ended.then(() => this.#decoders.get(kind) === decoder && this.#decoders.delete(kind));
    return decoder;
  }

  #end(kind: Kind): void {
    this.#decoders.get(kind)?.process.kill('SIGKILL');
    this.#decoders.delete(kind);
  }
}

function turnsByKind(places: number): Readonly<Record<Kind, TenantTurns>> {
  return { picture: new TenantTurns(places), pdf: new TenantTurns(places) };
}

async function wholeOf({ size }: JudgedContent, chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const content = Buffer.allocUnsafeSlow(size);
  let filled = 0;
  for await (const chunk of chunks) {
    content.set(chunk, filled);
    filled += chunk.length;
  }
  if (filled !== size) throw new Error('The content was deleted while it was read');
  return content;
}

function start(limits: readonly number[]): Decoder {
  const args = ['--disable-warning=ExperimentalWarning', fileURLToPath(MAIN), ...limits.map(String)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'], env: {} });
  // If the process cannot start, or exits during a write, its end is the answer.
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  child.unref();
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-ERROR_CHARACTERS)));
  const ended = Promise.withResolvers<DecoderEnd>();
  child.once('close', (code, signal) => {
    ended.resolve({ kind: 'ended', how: signal ?? `exit ${code}`, isOutOfMemory: isOutOfMemory(errors) });
  });
  return { process: child, ended: ended.promise };
}
