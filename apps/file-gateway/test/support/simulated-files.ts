import { Attempts } from '@gondola/lanes/commands/attempts';
import type { Commands } from '@gondola/lanes/commands/commands';
import type { Lanes } from '@gondola/lanes/lanes/lanes';
import type { Conclusion } from '@gondola/shared/results/conclusion';
import { FailedReads } from '../../src/commands/failed-reads.service.ts';
import { type FileWork, readFileWork } from '../../src/commands/file-command.ts';
import type { FileKnowledge, LaneWork } from '../../src/commands/file-step.ts';
import { UploadAttempts } from '../../src/commands/upload-attempts.service.ts';
import { ListFiles } from '../../src/files/list-files.service.ts';
import { RemoveAllFiles } from '../../src/files/remove-all-files.service.ts';
import { RemoveFiles } from '../../src/files/remove-files.service.ts';
import { UndoImages } from '../../src/files/undo-images.service.ts';
import { ImageDeliveries } from '../../src/images/image-delivery.service.ts';
import { PublishSkuImages } from '../../src/images/publish-images.service.ts';
import { CheckInvoicePdf } from '../../src/invoices/check-invoice-pdf.service.ts';
import { ReadInvoice } from '../../src/invoices/read-invoice.service.ts';
import { UploadInvoicePdf } from '../../src/invoices/upload-invoice-pdf.service.ts';
import { EndUnreadable } from '../../src/lanes/end-unreadable.service.ts';
import { FileSteps } from '../../src/lanes/file-steps.service.ts';
import { type AppliedImages, NO_IMAGES } from '../../src/platform/applied-images.ts';
import type { FoundUploads, HeldImage, HeldUpload } from '../../src/uploads/held-content.ts';
import { type Course, type FilesBefore, type Picture, SimulatedPlatform, standIn } from './simulated-platform.ts';
import { imageOf, iso } from './uploads.ts';

/** The platform's files, and Gondola's record of them, at first. */
export interface FilesStart extends FilesBefore {
  readonly known?: AppliedImages;
  /** Upload of any command that is to be undone. */
  readonly uploaded?: Uploaded;
  readonly invoiceSha256?: string;
  readonly isSftp?: boolean;
  /** Most images in one request. */
  readonly perRequest?: number;
  /** A command's record is not valid any more from this step of it on. */
  readonly unreadableFrom?: number;
}

interface Uploaded {
  readonly images: readonly HeldImage[];
  readonly urls: readonly string[];
}

export interface PlayedCommand {
  /** Null: still open after so many steps that only waiting is left. */
  readonly end: Conclusion | null;
  /** Attempts in the result. */
  readonly attempts: number;
  /** Calls that changed something or tried to. */
  readonly calls: number;
  readonly platform: SimulatedPlatform;
}

type Publish = ConstructorParameters<typeof PublishSkuImages>;
type Check = ConstructorParameters<typeof CheckInvoicePdf>;
type Failures = ConstructorParameters<typeof UploadAttempts>[0];

const TENANT: LaneWork['tenant'] = {
  language: 'en',
  deadlines: { commandMs: 900_000, invoiceMs: 1_800_000, referencesMs: 86_400_000, settleMs: 30_000 },
};
const TIMES = {
  lostAnswerMs: 5_000,
  readBackMs: 500,
  referenceCheckMs: 30_000,
  leaseMs: 240_000,
  platformTimeoutMs: 30_000,
  uploadTimeoutMs: 180_000,
  commandRetentionMs: 90 * 86_400_000,
};
const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const MAX_STEPS = 400;
const UNREADABLE = readFileWork(null, 'en');
const PDF = 'u-pdf';

/**
 * File commands of any kind, one after another, on a simulated platform: the services of the lane's steps with all
 * their decisions, and with what they store between two commands; without database, Kafka and HTTP.
 */
export class SimulatedFiles {
  readonly platform: SimulatedPlatform;
  readonly #start: FilesStart;
  readonly #steps: FileSteps;
  readonly #uploads = new Map<string, Uploaded>();
  #known: AppliedImages;
  #commands = 0;
  #progress: string | null = null;
  #deadlineAtMs: number | null = null;

  constructor(start: FilesStart = {}) {
    this.platform = new SimulatedPlatform(start);
    this.#start = start;
    this.#known = start.known ?? NO_IMAGES;
    this.#steps = this.#services();
  }

  /** The `commandId` of the last command. */
  get lastCommandId(): string {
    return `c-${this.#commands}`;
  }

  /** Addresses of the pictures that a command uploaded; none if it uploaded nothing. */
  uploadedBy(commandId: string): readonly string[] {
    return this.#uploads.get(commandId)?.urls ?? [];
  }

  async play(asked: FileWork, course: Course): Promise<PlayedCommand> {
    const { unreadableFrom = Infinity } = this.#start;
    const { platform } = this;
    platform.begin(course);
    this.#commands += 1;
    [this.#progress, this.#deadlineAtMs] = [null, null];
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const { outcome, dueInMs, knowledge } = await this.#step(step < unreadableFrom ? asked : UNREADABLE);
      if (outcome.kind === 'concluded') {
        this.#remember(knowledge);
        return { end: outcome.conclusion, attempts: outcome.attempts ?? 0, calls: platform.calls, platform };
      }
      this.#progress = outcome.progress ?? this.#progress;
      if (outcome.attempt?.kind === 'taken-back' && !hasAttempts(this.#progress)) this.#deadlineAtMs = null;
      platform.wait(dueInMs);
    }
    return { end: null, attempts: 0, calls: platform.calls, platform };
  }

  async #step(asked: FileWork) {
    const id = String(this.#commands);
    const deadlineInMs = this.#deadlineAtMs === null ? null : this.#deadlineAtMs - this.platform.nowMs;
    const command = { id, commandId: this.lastCommandId, progress: this.#progress, deadlineInMs };
    const work = {
      lane: standIn<LaneWork['lane']>({ tenant: 'acme' }),
      command: standIn<LaneWork['command']>(command),
      tenant: TENANT,
      call: { tenant: 'acme', signal: new AbortController().signal, traceparent: TRACEPARENT },
    };
    return this.#steps.step(work, asked);
  }

  #remember({ images, upload }: FileKnowledge): void {
    if (images !== undefined) this.#known = images.applied;
    if (upload !== undefined) this.#uploads.set(this.lastCommandId, upload);
  }

  #services(): FileSteps {
    const { perRequest = 10, uploaded = null, invoiceSha256 = null } = this.#start;
    const clock = { now: () => this.platform.nowMs };
    const config = { times: TIMES, images: { requestMaxBytes: perRequest * imageOf(1).size } };
    const found = standIn<FoundUploads>({ get: heldOf, has: () => true });
    const contents = standIn<Publish[0]>({
      bring: async (_work, wanted) => ({
        kind: 'there',
        uploads: wanted.map(({ source, field }) => ({ uploadId: Object.values(source).join(''), field })),
      }),
    });
    const checks = standIn<Publish[1]>({ faults: async () => new Map(), warnings: async () => [] });
    const uploads = standIn<Publish[2]>({ hold: async (_work, { judge }) => judge(found) });
    const skus = standIn<Publish[4]>({ isKnown: async () => true });
    const applied = standIn<Publish[5]>({ load: async () => this.#known });
    const orderIds = standIn<ConstructorParameters<typeof ReadInvoice>[0]>({ find: async () => 'order-1' });
    const made = standIn<ConstructorParameters<typeof UndoImages>[0]>({
      find: async ({ commandId }) => this.#uploads.get(commandId) ?? uploaded,
    });
    const files = standIn<ConstructorParameters<typeof UploadInvoicePdf>[4]>({
      attachedSha256: async () => invoiceSha256,
    });
    const lanes = standIn<Check[0]>({ checkpoint: async (held, save) => save(standIn({}), [...held]) });
    const stored = standIn<Check[3]>({ lock: async () => found, prolong: async () => iso(clock.now()) });
    const platform = this.platform.adapter();
    const attempts = this.#attempts();
    const failedReads = new FailedReads(clock);
    const ways = this.#deliveries(platform);
    return new FileSteps(
      new PublishSkuImages(contents, checks, uploads, attempts, skus, applied, platform, ways, clock, config),
      new UndoImages(made, applied, uploads, attempts, platform, config),
      new ListFiles(platform, failedReads),
      new RemoveFiles(attempts, orderIds, applied, platform, config),
      new RemoveAllFiles(attempts, platform, config),
      new CheckInvoicePdf(lanes, contents, checks, stored),
      new UploadInvoicePdf(contents, checks, uploads, attempts, files, platform, config),
      new ReadInvoice(orderIds, platform, failedReads),
      new EndUnreadable(attempts),
    );
  }

  #deliveries(platform: ReturnType<SimulatedPlatform['adapter']>): ImageDeliveries {
    const drop = standIn<ConstructorParameters<typeof ImageDeliveries>[1]>({
      has: () => this.#start.isSftp ?? false,
      nameOf: (_tenant, reference, { order }) => `${reference}_${order}.png`,
      place: async ({ images }) => {
        const away = this.platform.place(images);
        if (away === null) return { placed: images.map(({ order }) => order), problem: null };
        return { placed: [], problem: { kind: 'unavailable', cause: 'sftp-unreachable', ...away } };
      },
    });
    return new ImageDeliveries(platform, drop);
  }

  /** Each attempt is written down before its call; if the process ends, nothing else is found. */
  #attempts(): UploadAttempts {
    const { platform } = this;
    const real = new Attempts(
      standIn<Lanes>({ check: async (lanes) => ({ held: [...lanes], woken: new Set() }) }),
      standIn<Commands>({ besideLanes: () => standIn({}) }),
      { fraction: () => 0 },
    );
    const attempts = standIn<Attempts>({
      make: async (attempted, options) => {
        this.#deadlineAtMs ??= platform.nowMs + options.deadlineMs;
        const isLast = platform.endsProcess();
        const made = await real.make(attempted, options);
        if (!isLast) return made;
        this.#progress = JSON.stringify(attempted[0]!.progress);
        return { made: [], heldBack: [] };
      },
    });
    const failures = standIn<Failures>({
      ofCommand: async ({ operationIds }) => {
        const known = platform.failures(operationIds);
        return { failures: known, newestId: known.at(-1)?.id ?? '0' };
      },
    });
    const clock = { now: () => platform.nowMs };
    return new UploadAttempts(failures, { upTo: clock.now, ask: () => 1_000 }, attempts, clock);
  }
}

/** A `PublishSkuImages` whose images are uploads of the simulation. */
export function publishing(pictures: readonly Picture[], replace: boolean): FileWork {
  const images = pictures.map(({ order, content }, index) => ({
    order,
    source: { uploadId: `${order}/${content}` },
    field: `images[${index}].content.uploadId`,
  }));
  return { kind: 'publish-images', skuExternalReference: 'sku-1', images, replace };
}

/** The PDF, or the image `<order>/<content>`. */
function heldOf(uploadId: string): HeldUpload {
  if (uploadId === PDF) return { ...imageOf(1, 'sha-pdf'), uploadId, mediaType: 'application/pdf' };
  const [order, content] = uploadId.split('/');
  return { ...imageOf(Number(order), content), uploadId };
}

/** Without an attempt in its stored progress, no deadline of a command runs. */
function hasAttempts(progress: string | null): boolean {
  const { attempts = [] } = JSON.parse(progress ?? '{}') as { attempts?: readonly unknown[] };
  return attempts.length > 0;
}
