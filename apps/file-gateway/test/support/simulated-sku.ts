import type { MutationAnswer, ReadAnswer } from '@gondola/platform-client/answers';
import { FILE_TYPES } from '@gondola/shared/fields/file-types';
import type { Conclusion } from '@gondola/shared/results/conclusion';
import { RemoveFiles } from '../../src/files/remove-files.service.ts';
import { UndoImages } from '../../src/files/undo-images.service.ts';
import { ImageDeliveries } from '../../src/images/image-delivery.service.ts';
import { PublishSkuImages } from '../../src/images/publish-images.service.ts';
import type { PlatformAdapter } from '../../src/platform/platform.adapter.ts';
import type { PlatformFailure } from '../../src/platform/platform-failure.ts';
import { type AppliedImages, NO_IMAGES } from '../../src/platform/applied-images.ts';
import type { FileStep, LaneWork } from '../../src/commands/file-step.ts';
import type { SftpDrop } from '../../src/sftp/sftp-drop.service.ts';
import type { UploadAttempts } from '../../src/commands/upload-attempts.service.ts';
import type { FoundUploads, HeldImage } from '../../src/uploads/held-content.ts';
import { hasAttempts, simulatedAttempts } from './simulated-attempts.ts';
import { CALL_TRACEPARENT, COURSE_TENANT, COURSE_TIMES } from './simulated-course.ts';
import { standIn } from './stand-in.ts';
import { failureOf, imageOf, SENT_AT_MS } from './uploads.ts';

/** Fate of one call that changes pictures. */
export type PictureFate =
  /** Accepted, carried out, and shown. */
  | 'seen'
  /** Accepted, and carried out two seconds later. */
  | 'later'
  /** Accepted, and nothing further happens. */
  | 'silence'
  /** Accepted, then refused by an event of its operation. */
  | 'refusal'
  | '400'
  /** Never arrived. */
  | '429'
  | 'lost answer, applied'
  | 'lost answer, not applied'
  /** Carried out when its command has ended. */
  | 'lost answer, applied after the end'
  | 'process ended, applied'
  | 'process ended, not applied';

/** Fate of one reading of the list. One that shows nothing, or an earlier list, is never followed by an empty one. */
export type PictureReadFate = 'now' | '3 s behind' | 'empty' | '500';

/** Fates in the order of the calls and readings; all further ones are seen, and show what is there. */
export interface PictureFates {
  readonly calls: readonly PictureFate[];
  readonly reads: readonly PictureReadFate[];
}

export interface Picture {
  readonly order: number;
  readonly content: string;
}

export interface ShownPicture extends Picture {
  readonly url: string;
}

/** End of a command on the SKU's pictures. */
export interface PicturesEnd {
  readonly conclusion: Conclusion;
  /** Calls that changed something or tried to. */
  readonly calls: number;
}

type Publish = ConstructorParameters<typeof PublishSkuImages>;
type Undo = ConstructorParameters<typeof UndoImages>;

const SKU = 'sku-1';
const MAX_STEPS = 400;
const CALL_MS = 100;
const LATER_MS = 2_000;
const BEHIND_MS = 3_000;
const RETRY_AFTER_MS = 30_000;
const REFUSED_AFTER_MS = 1_000;
const FIRST_FAILURE = 10;

/**
 * One SKU's pictures in a shop, and the real services for its commands, with all their decisions and with what they
 * store between two commands; without database, Kafka and HTTP.
 */
export class SimulatedSku {
  nowMs = SENT_AT_MS;
  /** Pictures of one request, at most. */
  readonly #perRequest: number;
  #pictures: readonly ShownPicture[] = [];
  #history: { readonly atMs: number; readonly urls: readonly string[] }[] = [{ atMs: 0, urls: [] }];
  #due: { readonly atMs: number; readonly change: () => void }[] = [];
  #failures: PlatformFailure[] = [];
  #known: AppliedImages = NO_IMAGES;
  readonly #uploads = new Map<string, NonNullable<FileStep['knowledge']['upload']>>();
  #fates: PictureFates = { calls: [], reads: [] };
  #urls = 0;
  #calls = 0;
  #reads = 0;
  #lastRead: PictureReadFate = 'now';
  #progress: string | null = null;
  #deadlineAtMs: number | null = null;
  #commands = 0;

  constructor({ perRequest = 10 }: { readonly perRequest?: number } = {}) {
    this.#perRequest = perRequest;
  }

  /** The shop's pictures in the order in which it shows them: the first one is the main picture. */
  get pictures(): readonly ShownPicture[] {
    return this.#pictures;
  }

  /** Addresses of the pictures that a command uploaded; none if it uploaded nothing. */
  uploadedBy(commandId: string): readonly string[] {
    return this.#uploads.get(commandId)?.urls ?? [];
  }

  /** Somebody adds and removes pictures by other means, while no command is open. */
  byHand(change: (pictures: readonly ShownPicture[]) => readonly (Picture | ShownPicture)[]): void {
    this.#replace(change(this.#pictures).map((picture) => ('url' in picture ? picture : this.#new(picture))));
    this.wait(60_000);
  }

  wait(ms: number): void {
    this.nowMs += ms;
    this.#carryOut();
  }

  async publish(images: readonly Picture[], replace: boolean, fates: PictureFates): Promise<PicturesEnd> {
    const wanted = images.map(({ order, content }, index) => ({
      order,
      source: { uploadId: `${order}/${content}` },
      field: `images[${index}].content.uploadId`,
    }));
    const { publish } = this.#services();
    const asked = { kind: 'publish-images', skuExternalReference: SKU, images: wanted, replace } as const;
    return this.#run(fates, (work) => publish.step(work, asked));
  }

  async remove(urls: readonly string[], fates: PictureFates): Promise<PicturesEnd> {
    const { remove } = this.#services();
    const files = { externalReference: SKU, fileType: FILE_TYPES.SKU, urls, storageIds: [] };
    return this.#run(fates, (work) => remove.step(work, { kind: 'remove-files', ...files }));
  }

  async undo(commandId: string, fates: PictureFates): Promise<PicturesEnd> {
    const { undo } = this.#services();
    const asked = { kind: 'undo-images', skuExternalReference: SKU, undoes: commandId } as const;
    return this.#run(fates, (work) => undo.step(work, asked));
  }

  /** The `commandId` of the last command. */
  get lastCommandId(): string {
    return `c-${this.#commands}`;
  }

  async #run(fates: PictureFates, step: (work: LaneWork) => Promise<FileStep>): Promise<PicturesEnd> {
    this.#fates = fates;
    [this.#calls, this.#reads, this.#progress, this.#deadlineAtMs] = [0, 0, null, null];
    this.#commands += 1;
    const commandId = this.lastCommandId;
    for (let steps = 0; steps < MAX_STEPS; steps += 1) {
      const deadlineInMs = this.#deadlineAtMs === null ? null : this.#deadlineAtMs - this.nowMs;
      const command = standIn<LaneWork['command']>({
        id: String(this.#commands),
        commandId,
        progress: this.#progress,
        deadlineInMs,
      });
      const lane = standIn<LaneWork['lane']>({ tenant: 'acme' });
      const call = { tenant: 'acme', signal: new AbortController().signal, traceparent: CALL_TRACEPARENT };
      const { outcome, dueInMs, knowledge } = await step({ lane, command, tenant: COURSE_TENANT, call });
      if (knowledge.images !== undefined) this.#known = knowledge.images.applied;
      if (knowledge.upload !== undefined) this.#uploads.set(commandId, knowledge.upload);
      if (outcome.kind === 'concluded') return { conclusion: outcome.conclusion, calls: this.#calls };
      this.#progress = outcome.progress ?? this.#progress;
      if (outcome.attempt?.kind === 'taken-back' && !hasAttempts(this.#progress)) this.#deadlineAtMs = null;
      this.wait(dueInMs);
    }
    throw new Error(`The command has no end: ${this.#progress}`);
  }

  /** Carries out what the platform had accepted or received and not yet done, once no command is open. */
  settle(): void {
    if (this.#due.length === 0) return;
    for (const { change } of this.#due.splice(0)) change();
    this.wait(60_000);
  }

  #new({ order, content }: Picture): ShownPicture {
    this.#urls += 1;
    return { order, content, url: `url-${this.#urls}` };
  }

  #replace(pictures: readonly ShownPicture[], atMs = this.nowMs): void {
    this.#pictures = pictures.toSorted((one, other) => one.order - other.order);
    this.#history.push({ atMs, urls: this.#pictures.map(({ url }) => url) });
  }

  #carryOut(): void {
    for (const { atMs, change } of this.#due.filter((due) => due.atMs <= this.nowMs)) {
      this.#due = this.#due.filter((due) => due.change !== change);
      const { nowMs } = this;
      this.nowMs = atMs;
      change();
      this.nowMs = nowMs;
    }
  }

  #read(): ReadAnswer<readonly string[]> {
    const asked = this.#fates.reads[this.#reads] ?? 'now';
    const fate = asked === 'empty' && this.#lastRead !== 'now' ? 'now' : asked;
    this.#reads += 1;
    this.wait(CALL_MS);
    if (fate === '500') return { kind: 'unavailable', cause: 'server-error', retryAfterMs: RETRY_AFTER_MS };
    this.#lastRead = fate;
    if (fate === 'empty') return { kind: 'found', value: [] };
    const atMs = this.nowMs - (fate === '3 s behind' ? BEHIND_MS : 0);
    return { kind: 'found', value: this.#history.findLast((each) => each.atMs <= atMs)?.urls ?? [] };
  }

  /** `change` returns the pictures after it, or null where the platform refuses it. */
  #change(change: () => readonly ShownPicture[] | null): MutationAnswer {
    const fate = this.#fates.calls[this.#calls] ?? 'seen';
    this.#calls += 1;
    const operationId = `operation ${this.#commands}/${this.#calls}`;
    this.wait(CALL_MS);
    const refuse = () => {
      const receivedAtMs = this.nowMs + REFUSED_AFTER_MS;
      this.#failures.push(
        failureOf({ id: String(this.#failures.length + 1 + FIRST_FAILURE), operationId, receivedAtMs }),
      );
    };
    const apply = () => {
      const pictures = change();
      if (pictures === null) refuse();
      else this.#replace(pictures);
    };
    if (fate === 'seen' || fate.endsWith(', applied')) apply();
    if (fate === 'later') this.#due.push({ atMs: this.nowMs + LATER_MS, change: apply });
    if (fate.endsWith('after the end')) this.#due.push({ atMs: Infinity, change: apply });
    if (fate === 'refusal') refuse();
    if (fate === '400') return { kind: 'refused', status: 400, message: 'no' };
    if (fate === '429') return { kind: 'unavailable', cause: 'throttled', retryAfterMs: RETRY_AFTER_MS };
    if (fate.startsWith('lost')) return { kind: 'unknown', cause: 'timeout' };
    return { kind: 'accepted', operationId };
  }

  #undone(images: readonly HeldImage[]): readonly ShownPicture[] | null {
    let left = this.#pictures;
    for (const { order, sha256 } of images) {
      const found = left.findLast((picture) => picture.order === order && picture.content === sha256);
      if (found === undefined) return null;
      left = left.filter((picture) => picture !== found);
    }
    return left;
  }

  #adapter(): PlatformAdapter {
    const picturesOf = (images: readonly HeldImage[]) =>
      images.map(({ order, sha256: content }) => this.#new({ order, content }));
    return standIn<PlatformAdapter>({
      sizeOfImages: (_reference, images) => images.reduce((sum, { size }) => sum + size, 0),
      requestSizes: (_reference, { requestMaxBytes: limit }) => ({ limit, empty: 0, of: ({ size }) => size }),
      listImages: async () => this.#read(),
      listFiles: async () => this.#read(),
      uploadImages: async (_reference, images) => this.#change(() => [...this.#pictures, ...picturesOf(images)]),
      undoImages: async (_reference, images) => this.#change(() => this.#undone(images)),
      removeFiles: async ({ urls }) =>
        this.#change(() => {
          const left = this.#pictures.filter(({ url }) => !urls.includes(url));
          return left.length === this.#pictures.length ? null : left;
        }),
    });
  }

  #services() {
    const clock = { now: () => this.nowMs };
    const config = { times: COURSE_TIMES, images: { requestMaxBytes: this.#perRequest * imageOf(1).size } };
    const contents = standIn<Publish[0]>({
      bring: async (_work, wanted) => ({
        kind: 'there',
        uploads: wanted.map(({ source, field }) => ({ uploadId: Object.values(source).join(''), field })),
      }),
    });
    const checks = standIn<Publish[1]>({ faults: async () => new Map() });
    const found = standIn<FoundUploads>({ get: heldOf, has: () => true });
    const uploads = standIn<Publish[2]>({ hold: async (_work, { judge }) => judge(found) });
    const skus = standIn<Publish[4]>({ isKnown: async () => true });
    const applied = standIn<Publish[5]>({ load: async () => this.#known });
    const orderIds = standIn<ConstructorParameters<typeof RemoveFiles>[1]>({ find: async () => null });
    const made = standIn<Undo[0]>({ find: async ({ commandId }) => this.#uploads.get(commandId) ?? null });
    const platform = this.#adapter();
    const attempts = this.#attempts();
    const deliveries = new ImageDeliveries(platform, standIn<SftpDrop>({ has: () => false }));
    return {
      publish: new PublishSkuImages(
        contents,
        checks,
        uploads,
        attempts,
        skus,
        applied,
        platform,
        deliveries,
        clock,
        config,
      ),
      undo: new UndoImages(made, applied, uploads, attempts, platform, config),
      remove: new RemoveFiles(attempts, orderIds, applied, platform, config),
    };
  }

  #attempts(): UploadAttempts {
    return simulatedAttempts({
      nowMs: () => this.nowMs,
      failures: async ({ operationIds }) => {
        const known = this.#failures.filter(
          ({ operationId, receivedAtMs }) => receivedAtMs <= this.nowMs && operationIds.includes(operationId ?? ''),
        );
        return { failures: known, newestId: String(this.#failures.length + FIRST_FAILURE) };
      },
      endsProcess: () => (this.#fates.calls[this.#calls] ?? 'seen').startsWith('process ended'),
      onAttempt: (deadlineMs) => (this.#deadlineAtMs ??= this.nowMs + deadlineMs),
      onEnd: (progress) => (this.#progress = progress),
    });
  }
}

/** The upload `<order>/<content>`. */
function heldOf(uploadId: string): HeldImage {
  const [order, content] = uploadId.split('/');
  return { ...imageOf(Number(order), content), uploadId };
}
