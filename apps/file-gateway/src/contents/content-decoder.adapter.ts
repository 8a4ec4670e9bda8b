import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { CONFIG } from '@gondola/service-kit/run/injected';
import type { MediaType } from '@gondola/shared/files/media-types';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type ContentVerdict, verdictOfByte } from './content-verdict.ts';
import type { Config } from '../config.ts';

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

/**
 * Decodes contents in a separate process, one at a time. A content that takes too long, or crashes that process,
 * counts as broken; the next content starts a new process.
 */
@Injectable()
export class ContentDecoder implements OnApplicationShutdown {
  readonly #limits: Pick<Config['pictures'], 'maxPixels' | 'checkMs'>;
  #decoder: Decoder | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(@Inject(CONFIG) { pictures }: { readonly pictures: Pick<Config['pictures'], 'maxPixels' | 'checkMs'> }) {
    this.#limits = pictures;
  }

  /** Decodes a content completely and checks that it matches its media type. */
  async judge(
    content: { readonly mediaType: MediaType; readonly size: number },
    chunks: AsyncIterable<Uint8Array>,
  ): Promise<ContentVerdict> {
    const mine = this.#last.then(() => this.#decode(content, chunks));
    this.#last = mine.catch(() => {});
    return mine;
  }

  onApplicationShutdown(): void {
    this.#end();
  }

  async #decode(
    { mediaType, size }: { readonly mediaType: MediaType; readonly size: number },
    chunks: AsyncIterable<Uint8Array>,
  ): Promise<ContentVerdict> {
    const decoder = (this.#decoder ??= start(this.#limits.maxPixels));
    const { process: child, ended } = decoder;
    let hasEnded = false;
    void ended.then(() => (hasEnded = true));
    const answer = once(child.stdout, 'data').then(([bytes]) => (bytes as Buffer).toString());
    const timer = setTimeout(() => this.#end(), this.#limits.checkMs);
    try {
      const head = Buffer.alloc(HEAD_BYTES);
      head.writeUInt8(mediaType.length, 0);
      head.writeUInt32BE(size, 1);
      child.stdin.write(Buffer.concat([head, Buffer.from(mediaType, 'latin1')]));
      for await (const chunk of chunks) {
        if (hasEnded) break;
        if (!child.stdin.write(chunk)) await Promise.race([once(child.stdin, 'drain'), ended]);
      }
      return verdictOfByte(await Promise.race([answer, ended])) ?? 'broken';
    } catch (error) {
      // A partly written content would be read as the start of the next.
      this.#end();
      throw error;
    } finally {
      clearTimeout(timer);
      if (hasEnded && this.#decoder === decoder) this.#decoder = null;
    }
  }

  #end(): void {
    this.#decoder?.process.kill('SIGKILL');
    this.#decoder = null;
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
