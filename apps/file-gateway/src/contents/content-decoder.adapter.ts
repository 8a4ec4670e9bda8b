import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { CONFIG } from '@gondola/service-kit/config/injected';
import { type MediaType, PDF_MEDIA_TYPE } from '@gondola/shared/files/media-types';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type ContentVerdict, verdictOfByte } from '../uploads/content-verdict.ts';
import type { Config } from '../config.ts';
import { TenantTurns } from './tenant-turns.ts';

/** Length of the media type (one byte) and of the content (four bytes). */
const HEAD_BYTES = 5;
const MAIN = import.meta.url.endsWith('.ts')
  ? new URL('./decoder.main.ts', import.meta.url)
  : new URL('./decoder.main.js', import.meta.url);

interface Decoder {
  readonly process: ChildProcessByStdio<Writable, Readable, null>;
  /** Resolves with null when the process has exited. */
  readonly ended: Promise<null>;
}

/** Kinds of contents, each with a process of its own, so that slow pictures delay no PDF. */
const KINDS = ['picture', 'pdf'] as const;
type Kind = (typeof KINDS)[number];

/** Ends of a process that come while it decodes the same content, after which the content counts as the cause. */
const ENDS_OF_BROKEN = 2;
/** Processes that end before they have the whole content, which says nothing about it, before the check fails. */
const MOST_EARLY_ENDS = 5;

type Decoding =
  | { readonly kind: 'verdict'; readonly verdict: ContentVerdict }
  /** The process ended, or was ended because it took too long. */
  | { readonly kind: 'ended'; readonly hadContent: boolean };

/** The content to judge. */
export interface JudgedContent {
  readonly tenant: string;
  readonly mediaType: MediaType;
  readonly size: number;
}

/**
 * Decodes contents in separate processes: one for pictures, one for PDFs, each one content at a time, in turns of
 * tenants. A content is read before it takes its turn, so that a slow database delays no other tenant; of each kind,
 * one content of a tenant is in memory. A content counts as broken by the answer of a process, or if two processes
 * ended or took too long while they decoded it. A process that ends before it has the content (killed by an operator,
 * out of memory while idle), or does not take it in time, says nothing: the content goes to another one.
 */
@Injectable()
export class ContentDecoder implements OnApplicationShutdown {
  readonly #limits: Pick<Config['pictures'], 'maxPixels' | 'checkMs'>;
  readonly #decoders = new Map<Kind, Decoder>();
  /** Contents that are read or wait for their turn, by kind and tenant. */
  readonly #lines = new Map<string, TenantTurns>();
  readonly #turns: Readonly<Record<Kind, TenantTurns>> = { picture: new TenantTurns(), pdf: new TenantTurns() };
  #isStopping = false;

  constructor(@Inject(CONFIG) { pictures }: { readonly pictures: Pick<Config['pictures'], 'maxPixels' | 'checkMs'> }) {
    this.#limits = pictures;
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
  async judge(content: JudgedContent, open: () => AsyncIterable<Uint8Array>): Promise<ContentVerdict> {
    const kind = content.mediaType === PDF_MEDIA_TYPE ? 'pdf' : 'picture';
    const { tenant } = content;
    return this.#line(`${kind} ${tenant}`).run(tenant, async () => {
      const bytes = await wholeOf(content, open());
      return this.#turns[kind].run(tenant, () => this.#judge(kind, content.mediaType, bytes));
    });
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

  async #judge(kind: Kind, mediaType: MediaType, content: Buffer): Promise<ContentVerdict> {
    for (let early = 0, ends = 0; early < MOST_EARLY_ENDS;) {
      if (this.#isStopping) throw new Error('The app is stopping; the content is judged later');
      const decoding = await this.#decode(kind, mediaType, content);
      if (decoding.kind === 'verdict') return decoding.verdict;
      if (!decoding.hadContent) early += 1;
      // A process that our own stop has ended says nothing about the content.
      else if (!this.#isStopping) ends += 1;
      if (ends === ENDS_OF_BROKEN) return 'broken';
    }
    throw new Error('The processes that check contents end before they have one; it is judged later');
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
    const timer = setTimeout(() => this.#end(kind), this.#limits.checkMs);
    const hadContent = (await Promise.race([written.promise, ended])) === true;
    timer.refresh();
    const verdict = verdictOfByte(await Promise.race([answer, ended]));
    clearTimeout(timer);
    return verdict === null ? { kind: 'ended', hadContent } : { kind: 'verdict', verdict };
  }

  #start(kind: Kind): Decoder {
    const decoder = start(this.#limits.maxPixels);
    this.#decoders.set(kind, decoder);
    void decoder.ended.then(() => this.#decoders.get(kind) === decoder && this.#decoders.delete(kind));
    return decoder;
  }

  #end(kind: Kind): void {
    this.#decoders.get(kind)?.process.kill('SIGKILL');
    this.#decoders.delete(kind);
  }
}

async function wholeOf({ size }: JudgedContent, chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const chunk of chunks) pieces.push(chunk);
  const content = Buffer.concat(pieces);
  if (content.length !== size) throw new Error('The content was deleted while it was read');
  return content;
}

function start(maxPixels: number): Decoder {
  const args = ['--disable-warning=ExperimentalWarning', fileURLToPath(MAIN), String(maxPixels)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'], env: {} });
  // If the process cannot start, or exits during a write, its end is the answer.
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  child.unref();
  const ended = Promise.withResolvers<null>();
  child.once('close', () => ended.resolve(null));
  return { process: child, ended: ended.promise };
}
