import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { CONFIG } from '@gondola/service-kit/config/injected';
import { type MediaType, PDF_MEDIA_TYPE } from '@gondola/shared/files/media-types';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type ContentVerdict, verdictOfByte } from './content-verdict.ts';
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
 * tenants. A content counts as broken by the answer of a process, or if two processes ended or took too long while they
 * decoded it. A process that ends before (killed by an operator, out of memory while idle) says nothing: the content
 * goes to another one.
 */
@Injectable()
export class ContentDecoder implements OnApplicationShutdown {
  readonly #limits: Pick<Config['pictures'], 'maxPixels' | 'checkMs'>;
  readonly #decoders = new Map<Kind, Decoder>();
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
   * @param open opens the content's chunks; called again for another process
   * @throws Error if no process could decode it, for reasons that are not the content's; it can be judged again
   */
  async judge(content: JudgedContent, open: () => AsyncIterable<Uint8Array>): Promise<ContentVerdict> {
    const kind = content.mediaType === PDF_MEDIA_TYPE ? 'pdf' : 'picture';
    return this.#turns[kind].run(content.tenant, () => this.#judge(kind, content, open));
  }

  onApplicationShutdown(): void {
    this.#isStopping = true;
    for (const kind of KINDS) this.#end(kind);
  }

  async #judge(kind: Kind, content: JudgedContent, open: () => AsyncIterable<Uint8Array>): Promise<ContentVerdict> {
    for (let early = 0, ends = 0; early < MOST_EARLY_ENDS;) {
      if (this.#isStopping) throw new Error('The app is stopping; the content is judged later');
      const decoding = await this.#decode(kind, content, open());
      if (decoding.kind === 'verdict') return decoding.verdict;
      if (!decoding.hadContent) early += 1;
      // A process that our own stop has ended says nothing about the content.
      else if (!this.#isStopping) ends += 1;
      if (ends === ENDS_OF_BROKEN) return 'broken';
    }
    throw new Error('The processes that check contents end before they have one; it is judged later');
  }

  async #decode(kind: Kind, { mediaType, size }: JudgedContent, chunks: AsyncIterable<Uint8Array>): Promise<Decoding> {
    const decoder = this.#decoders.get(kind) ?? start(this.#limits.maxPixels);
    this.#decoders.set(kind, decoder);
    const { process: child, ended } = decoder;
    let hasEnded = false;
    void ended.then(() => (hasEnded = true));
    const answer = once(child.stdout, 'data').then(([bytes]) => (bytes as Buffer).toString());
    let timer: NodeJS.Timeout | undefined;
    let hadContent = false;
    try {
      const head = Buffer.alloc(HEAD_BYTES);
      head.writeUInt8(mediaType.length, 0);
      head.writeUInt32BE(size, 1);
      child.stdin.write(Buffer.concat([head, Buffer.from(mediaType, 'latin1')]));
      for await (const chunk of chunks) {
        if (hasEnded) break;
        // A pipe that breaks is the end of the process.
        if (!child.stdin.write(chunk)) await Promise.race([once(child.stdin, 'drain').catch(() => ended), ended]);
      }
      // Its time begins with the last chunk: a slow source is not the content's fault.
      hadContent = !hasEnded;
      timer = setTimeout(() => this.#end(kind), this.#limits.checkMs);
      const verdict = verdictOfByte(await Promise.race([answer, ended]));
      return verdict === null ? { kind: 'ended', hadContent } : { kind: 'verdict', verdict };
    } catch (error) {
      // A partly written content would be read as the start of the next.
      this.#end(kind);
      throw error;
    } finally {
      clearTimeout(timer);
      if (hasEnded && this.#decoders.get(kind) === decoder) this.#decoders.delete(kind);
    }
  }

  #end(kind: Kind): void {
    this.#decoders.get(kind)?.process.kill('SIGKILL');
    this.#decoders.delete(kind);
  }
}

function start(maxPixels: number): Decoder {
  const args = ['--disable-warning=ExperimentalWarning', fileURLToPath(MAIN), String(maxPixels)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'], env: {} });
  // If the process exits during a write, its exit is the answer.
  child.stdin.on('error', () => {});
  child.unref();
  const ended = Promise.withResolvers<null>();
  child.once('close', () => ended.resolve(null));
  return { process: child, ended: ended.promise };
}
