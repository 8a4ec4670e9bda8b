import type { MutationAnswer, ReadAnswer } from '@gondola/platform-client/answers';
import type { PlatformAdapter } from '../../src/platform/platform.adapter.ts';
import type { PlatformFailure } from '../../src/platform/platform-failure.ts';
import type { HeldImage } from '../../src/uploads/held-content.ts';
import { failureOf, SENT_AT_MS } from './uploads.ts';

/** Fate of one call that changes something. */
export type Fate =
  /** Accepted, carried out, and shown. */
  | 'seen'
  /** Accepted, and carried out two seconds later. */
  | 'later'
  /** Accepted, and nothing further happens. */
  | 'silence'
  /** Accepted, then refused by an event of its operation. */
  | 'refusal'
  /** Accepted without the name of an operation, then refused by an event that names the entity. */
  | 'refusal of its entity'
  | '400'
  | 'lost answer, applied'
  /** Carried out when its command has ended. */
  | 'lost answer, applied after the end'
  | 'process ended, applied'
  | 'process ended, not applied'
  /** Not carried out. */
  | '500'
  | 'time-out'
  /** Never arrived. */
  | '429';

/**
 * Fate of one reading; one with 429 was not made. One that shows nothing, or an earlier list, is never followed by an
 * empty one.
 */
export type ReadFate = 'shown' | '3 s behind' | 'empty' | '400' | '429' | '500';

/** Fates in the order of the calls of a command; the last of each list also applies to all further ones. */
export interface Course {
  readonly calls: readonly Fate[];
  readonly reads?: readonly ReadFate[];
  /** State of the SFTP server each time images are placed. */
  readonly drops?: readonly ('there' | 'away')[];
}

export interface Picture {
  readonly order: number;
  readonly content: string;
}

export interface ShownPicture extends Picture {
  readonly url: string;
}

/** The platform's files at first. */
export interface FilesBefore {
  /** Addresses; the first one is `imageOf(1)`, and so on. */
  readonly files?: readonly string[];
  /** Addresses of the order's invoice file; null for none. */
  readonly invoice?: readonly string[] | null;
  /** A new invoice file has the address of the previous one. */
  readonly keepsAddress?: boolean;
}

const CALL_MS = 100;
const LATER_MS = 2_000;
const BEHIND_MS = 3_000;
const RETRY_AFTER_MS = 30_000;
const REFUSED_AFTER_MS = 1_000;
/** Between two commands of anybody. */
const CALM_MS = 60_000;

/** One entity's files on a platform that treats calls by their fates. Time passes only as calls and waits let it. */
export class SimulatedPlatform {
  nowMs = SENT_AT_MS;
  /** Calls of the current command that change something, whether they arrived or not. */
  calls = 0;
  invoice: readonly string[] | null;
  readonly #keepsAddress: boolean;
  #pictures: readonly ShownPicture[];
  #history: { readonly atMs: number; readonly urls: readonly string[] }[];
  #due: { readonly atMs: number; readonly change: () => void }[] = [];
  #failures: PlatformFailure[] = [];
  #placed: HeldImage[] = [];
  #course: Course = { calls: ['seen'] };
  #commands = 0;
  #uploads = 0;
  #reads = 0;
  #drops = 0;
  #lastRead: ReadFate = 'shown';

  constructor({ files = [], invoice = null, keepsAddress = false }: FilesBefore) {
    this.#pictures = files.map((url, index) => ({ order: index + 1, content: `sha-${index + 1}`, url }));
    this.#history = [{ atMs: 0, urls: files }];
    this.invoice = invoice;
    this.#keepsAddress = keepsAddress;
  }

  /** The pictures in the order in which they are shown: the first one is the main picture. */
  get pictures(): readonly ShownPicture[] {
    return this.#pictures;
  }

  get urls(): readonly string[] {
    return this.#pictures.map(({ url }) => url);
  }

  /** Treats the calls of a command by this course from now on. */
  begin(course: Course): void {
    this.#course = course;
    [this.calls, this.#reads, this.#drops] = [0, 0, 0];
    this.#commands += 1;
  }

  wait(ms: number): void {
    this.nowMs += ms;
    const due = this.#due.filter(({ atMs }) => atMs <= this.nowMs);
    this.#due = this.#due.filter((each) => !due.includes(each));
    for (const { atMs, change } of due) {
      const { nowMs } = this;
      this.nowMs = atMs;
      change();
      this.nowMs = nowMs;
    }
  }

  /** Somebody adds and removes pictures by other means, while no command is open. */
  byHand(change: (pictures: readonly ShownPicture[]) => readonly (Picture | ShownPicture)[]): void {
    this.#show(change(this.#pictures).map((picture) => ('url' in picture ? picture : this.#new(picture))));
    this.wait(CALM_MS);
  }

  /** Carries out what the platform had accepted or received and not yet done, once no command is open. */
  settle(): void {
    if (this.#due.length === 0) return;
    for (const { change } of this.#due.splice(0)) change();
    this.wait(CALM_MS);
  }

  /** Refusals of these operations, and of the entity, that have arrived by now. */
  failures(operationIds: readonly string[]): readonly PlatformFailure[] {
    return this.#failures.filter(
      ({ operationId, receivedAtMs }) =>
        receivedAtMs <= this.nowMs && (operationId === null || operationIds.includes(operationId)),
    );
  }

  /** True if the process ends between the next call and the storing of its answer. */
  endsProcess(): boolean {
    return nth(this.#course.calls, this.calls).startsWith('process ended');
  }

  /** Places images by SFTP, replacing earlier ones; a result other than null means that the server is away. */
  place(images: readonly HeldImage[]): null | { readonly retryAfterMs: number } {
    const isAway = nth(this.#course.drops ?? ['there'], this.#drops) === 'away';
    this.#drops += 1;
    this.wait(CALL_MS);
    if (isAway) return { retryAfterMs: RETRY_AFTER_MS };
    this.#placed = [...images];
    return null;
  }

  adapter(): PlatformAdapter {
    const list = async () => this.#read((atMs) => this.#history.findLast((each) => each.atMs <= atMs)?.urls ?? []);
    return standIn<PlatformAdapter>({
      sizeOfImages: (_reference, images) => images.reduce((sum, { size }) => sum + size, 0),
      requestSizes: (_reference, { requestMaxBytes: limit }) => ({ limit, empty: 0, of: ({ size }) => size }),
      listImages: list,
      listFiles: list,
      uploadImages: async (_reference, images) => this.#change(() => this.#add(images)),
      linkImages: async () => this.#change(() => this.#add(this.#placed.splice(0))),
      undoImages: async (_reference, images) => this.#change(() => this.#undo(images)),
      removeFiles: async ({ urls, storageIds }) => this.#change(() => this.#remove(urls, storageIds)),
      removeAllFiles: async () => this.#change(() => this.#show([])),
      findInvoice: async () => this.#read(() => this.invoice && { mediaType: null, urls: this.invoice, answer: null }),
      uploadInvoice: async () =>
        this.#change(() => {
          this.invoice = this.#keepsAddress ? this.invoice : [`invoice-${this.calls}`];
          return true;
        }),
    });
  }

  #new({ order, content }: Picture): ShownPicture {
    this.#uploads += 1;
    return { order, content, url: `${order}-${this.#uploads}` };
  }

  #show(pictures: readonly ShownPicture[]): true {
    this.#pictures = pictures.toSorted((one, other) => one.order - other.order);
    this.#history.push({ atMs: this.nowMs, urls: this.urls });
    return true;
  }

  #add(images: readonly HeldImage[]): true {
    return this.#show([
      ...this.#pictures,
      ...images.map(({ order, sha256: content }) => this.#new({ order, content })),
    ]);
  }

  #undo(images: readonly HeldImage[]): boolean {
    let left = this.#pictures;
    for (const { order, sha256 } of images) {
      const found = left.findLast((picture) => picture.order === order && picture.content === sha256);
      if (found === undefined) return false;
      left = left.filter((picture) => picture !== found);
    }
    return this.#show(left);
  }

  #remove(urls: readonly string[], storageIds: readonly string[]): boolean {
    const left = this.#pictures.filter(({ url }) => !urls.includes(url) && !storageIds.includes(url));
    if (left.length === this.#pictures.length && storageIds.length === 0) return false;
    return this.#show(left);
  }

  #read<T>(shown: (atMs: number) => T | null): ReadAnswer<T> {
    const asked = nth<ReadFate>(this.#course.reads ?? ['shown'], this.#reads);
    const fate: ReadFate = asked === 'empty' && this.#lastRead !== 'shown' ? 'shown' : asked;
    this.#reads += 1;
    this.wait(CALL_MS);
    if (fate === '400') return { kind: 'refused', status: 400, message: 'no' };
    if (fate === '429') return { kind: 'unavailable', cause: 'throttled', retryAfterMs: RETRY_AFTER_MS };
    if (fate === '500') return { kind: 'unavailable', cause: 'server-error', retryAfterMs: RETRY_AFTER_MS };
    this.#lastRead = fate;
    const value = shown(fate === 'empty' ? 0 : this.nowMs - (fate === '3 s behind' ? BEHIND_MS : 0));
    return value === null ? { kind: 'not-found' } : { kind: 'found', value };
  }

  /** `apply` returns false where the platform refuses the change. */
  #change(apply: () => boolean): MutationAnswer {
    const fate = nth(this.#course.calls, this.calls);
    this.calls += 1;
    const operationId = fate === 'refusal of its entity' ? null : `operation ${this.#commands}/${this.calls}`;
    this.wait(CALL_MS);
    const refuse = () => {
      const id = String(this.#failures.length + 1);
      this.#failures.push(failureOf({ id, operationId, receivedAtMs: this.nowMs + REFUSED_AFTER_MS }));
    };
    const change = () => {
      if (!apply()) refuse();
    };
    if (fate === 'seen' || fate.endsWith(', applied')) change();
    if (fate === 'later') this.#due.push({ atMs: this.nowMs + LATER_MS, change });
    if (fate.endsWith('after the end')) this.#due.push({ atMs: Infinity, change });
    if (fate.startsWith('refusal')) refuse();
    return answerOf(fate, operationId);
  }
}

function answerOf(fate: Fate, operationId: string | null): MutationAnswer {
  if (fate === '400') return { kind: 'refused', status: 400, message: 'no' };
  if (fate === '429') return { kind: 'unavailable', cause: 'throttled', retryAfterMs: RETRY_AFTER_MS };
  if (fate === '500') return { kind: 'unknown', cause: 'server-error' };
  if (fate === 'time-out' || fate.startsWith('lost answer')) return { kind: 'unknown', cause: 'timeout' };
  return { kind: 'accepted', operationId };
}

function nth<T>(list: readonly T[], index: number): T {
  return list[Math.min(index, list.length - 1)]!;
}

/** Replaces a class by the members that a simulation needs. */
export function standIn<T>(part: Partial<T>): T {
  return part as T;
}
