import type { MutationAnswer, ReadAnswer } from '@gondola/platform-client/answers';
import type { PlatformAdapter } from '../../src/platform/platform.adapter.ts';
import type { PlatformFailure } from '../../src/platform/platform-failure.ts';
import type { HeldImage } from '../../src/uploads/held-content.ts';
import { standIn } from './stand-in.ts';
import { failureOf, SENT_AT_MS } from './uploads.ts';

/** Fate of one call that changes something. */
export type Fate =
  /** Accepted, carried out, and shown. */
  | 'seen'
  /** Accepted, and nothing further happens. */
  | 'silence'
  /** Accepted, then refused by an event of its operation. */
  | 'refusal'
  /** Accepted without the name of an operation, then refused by an event that names the entity. */
  | 'refusal of its entity'
  | '400'
  | 'lost answer, applied'
  | 'process ended, applied'
  | 'process ended, not applied'
  /** Not carried out. */
  | '500'
  | 'time-out'
  /** Never arrived. */
  | '429';

/** Fate of one reading; one with 429 was not made. */
export type ReadFate = 'shown' | '400' | '429' | '500';

/** Fates in the order of the calls; the last of each list also applies to all further ones. */
export interface Course {
  readonly calls: readonly Fate[];
  readonly reads?: readonly ReadFate[];
  /** State of the SFTP server each time images are placed. */
  readonly drops?: readonly ('there' | 'away')[];
}

/** The platform's files before the command. */
export interface FilesBefore {
  readonly files?: readonly string[];
  /** Addresses of the order's invoice file; null for none. */
  readonly invoice?: readonly string[] | null;
  /** A new invoice file has the address of the previous one. */
  readonly keepsAddress?: boolean;
  /** Addresses of an upload that is undone, in the order of its images. */
  readonly brought?: readonly string[];
}

const CALL_MS = 100;
const RETRY_AFTER_MS = 30_000;
const REFUSED_AFTER_MS = 1_000;

/** A platform that treats calls by their fates and stores accepted changes. Only calls take time here. */
export class SimulatedPlatform {
  nowMs = SENT_AT_MS;
  /** Number of calls, whether they arrived or not. */
  calls = 0;
  /** Addresses; that of a new image holds its order and the number of its call. */
  files: readonly string[];
  invoice: readonly string[] | null;
  readonly #course: Course;
  readonly #before: FilesBefore;
  readonly #failures: PlatformFailure[] = [];
  #placed: readonly HeldImage[] = [];
  #reads = 0;
  #drops = 0;

  constructor(course: Course, before: FilesBefore) {
    this.#course = course;
    this.#before = before;
    this.files = before.files ?? [];
    this.invoice = before.invoice ?? null;
  }

  /** Refusals that have arrived by now. */
  failures(): readonly PlatformFailure[] {
    return this.#failures.filter(({ receivedAtMs }) => receivedAtMs <= this.nowMs);
  }

  /** True if the process ends between the next call and the storing of its answer. */
  endsProcess(): boolean {
    return nth(this.#course.calls, this.calls).startsWith('process ended');
  }

  /** Places images by SFTP, replacing earlier ones; a result other than null means that the server is away. */
  place(images: readonly HeldImage[]): null | { readonly retryAfterMs: number } {
    const isAway = nth(this.#course.drops ?? ['there'], this.#drops) === 'away';
    this.#drops += 1;
    this.nowMs += CALL_MS;
    if (isAway) return { retryAfterMs: RETRY_AFTER_MS };
    this.#placed = images;
    return null;
  }

  adapter(): PlatformAdapter {
    const { brought = [], keepsAddress = false } = this.#before;
    return standIn<PlatformAdapter>({
      sizeOfImages: (_reference, images) => images.reduce((sum, { size }) => sum + size, 0),
      requestSizes: (_reference, { requestMaxBytes: limit }) => ({ limit, empty: 0, of: ({ size }) => size }),
      listImages: async () => this.#read(this.files),
      listFiles: async () => this.#read(this.files),
      uploadImages: async (_reference, images) => this.#change(() => this.#show(images)),
      linkImages: async () =>
        this.#change(() => {
          this.#show(this.#placed);
          this.#placed = [];
        }),
      undoImages: async (_reference, images) =>
        this.#change(() => this.#hide(images.map(({ order }) => brought[order - 1] ?? ''))),
      removeFiles: async ({ urls, storageIds }) => this.#change(() => this.#hide([...urls, ...storageIds])),
      removeAllFiles: async () => this.#change(() => this.#hide(this.files)),
      findInvoice: async () => {
        const urls = this.invoice;
        return this.#read(urls === null ? null : { mediaType: null, urls, answer: null });
      },
      uploadInvoice: async () =>
        this.#change(() => {
          this.invoice = keepsAddress ? this.invoice : [`invoice-${this.calls}`];
        }),
    });
  }

  #show(images: readonly HeldImage[]): void {
    this.files = [...this.files, ...images.map(({ order }) => `${order}-${this.calls}`)];
  }

  #hide(urls: readonly string[]): void {
    this.files = this.files.filter((url) => !urls.includes(url));
  }

  #read<T>(value: T | null): ReadAnswer<T> {
    const fate = nth(this.#course.reads ?? ['shown'], this.#reads);
    this.#reads += 1;
    this.nowMs += CALL_MS;
    if (fate === '400') return { kind: 'refused', status: 400, message: 'no' };
    if (fate === '429') return { kind: 'unavailable', cause: 'throttled', retryAfterMs: RETRY_AFTER_MS };
    if (fate === '500') return { kind: 'unavailable', cause: 'server-error', retryAfterMs: RETRY_AFTER_MS };
    return value === null ? { kind: 'not-found' } : { kind: 'found', value };
  }

  #change(apply: () => void): MutationAnswer {
    const fate = nth(this.#course.calls, this.calls);
    this.calls += 1;
    this.nowMs += CALL_MS;
    if (fate === 'seen' || fate === 'lost answer, applied' || fate === 'process ended, applied') apply();
    const operationId = fate === 'refusal of its entity' ? null : `operation ${this.calls}`;
    if (fate === 'refusal' || operationId === null) {
      const receivedAtMs = this.nowMs + REFUSED_AFTER_MS;
      this.#failures.push(failureOf({ id: String(this.calls), operationId, receivedAtMs }));
    }
    if (fate === '429') return { kind: 'unavailable', cause: 'throttled', retryAfterMs: RETRY_AFTER_MS };
    return answerOf(fate, operationId);
  }
}

function answerOf(fate: Fate, operationId: string | null): MutationAnswer {
  if (fate === '400') return { kind: 'refused', status: 400, message: 'no' };
  if (fate === '500') return { kind: 'unknown', cause: 'server-error' };
  if (fate === 'time-out' || fate === 'lost answer, applied') return { kind: 'unknown', cause: 'timeout' };
  return { kind: 'accepted', operationId };
}

function nth<T>(list: readonly T[], index: number): T {
  return list[Math.min(index, list.length - 1)]!;
}
