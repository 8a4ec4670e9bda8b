import type { Conclusion } from '@gondola/shared/results/conclusion';
import { type FileWork, readFileWork } from '../../src/commands/file-command.ts';
import { ListFiles } from '../../src/files/list-files.service.ts';
import { RemoveAllFiles } from '../../src/files/remove-all-files.service.ts';
import { RemoveFiles } from '../../src/files/remove-files.service.ts';
import { UndoImages } from '../../src/files/undo-images.service.ts';
import { type AppliedImages, NO_IMAGES } from '../../src/platform/applied-images.ts';
import { ImageDeliveries } from '../../src/images/image-delivery.service.ts';
import { PublishSkuImages } from '../../src/images/publish-images.service.ts';
import { CheckInvoicePdf } from '../../src/invoices/check-invoice-pdf.service.ts';
import { ReadInvoice } from '../../src/invoices/read-invoice.service.ts';
import { UploadInvoicePdf } from '../../src/invoices/upload-invoice-pdf.service.ts';
import type { LaneWork } from '../../src/commands/file-step.ts';
import { FileSteps } from '../../src/lanes/file-steps.service.ts';
import { EndUnreadable } from '../../src/lanes/end-unreadable.service.ts';
import { FailedReads } from '../../src/commands/failed-reads.service.ts';
import type { UploadAttempts } from '../../src/commands/upload-attempts.service.ts';
import type { HeldImage, HeldUpload } from '../../src/uploads/held-content.ts';
import { hasAttempts, simulatedAttempts } from './simulated-attempts.ts';
import { type Course, type FilesBefore, SimulatedPlatform } from './simulated-platform.ts';
import { standIn } from './stand-in.ts';
import { imageOf, iso } from './uploads.ts';

/** The platform's files, and Gondola's record of them, before the command. */
export interface CourseStart extends FilesBefore {
  readonly known?: AppliedImages;
  readonly invoiceSha256?: string;
  readonly isSftp?: boolean;
  /** Most images in one request. */
  readonly perRequest?: number;
  /** The command's record is not valid any more from this step on. */
  readonly unreadableFrom?: number;
  /** Images of the upload that is to be undone. */
  readonly undone?: readonly HeldImage[];
}

type Publish = ConstructorParameters<typeof PublishSkuImages>;
type Check = ConstructorParameters<typeof CheckInvoicePdf>;

export const COURSE_TENANT: LaneWork['tenant'] = {
  language: 'en',
  deadlines: { commandMs: 900_000, invoiceMs: 1_800_000, referencesMs: 86_400_000, settleMs: 30_000 },
};
export const COURSE_TIMES = {
  lostAnswerMs: 5_000,
  readBackMs: 500,
  referenceCheckMs: 30_000,
  leaseMs: 240_000,
  platformTimeoutMs: 30_000,
  uploadTimeoutMs: 180_000,
  commandRetentionMs: 90 * 86_400_000,
};
export const CALL_TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const MAX_STEPS = 300;
const UNREADABLE = readFileWork(null, 'en');

/**
 * One file command of any kind on a simulated platform: the services of the lane's steps with all their decisions,
 * without database, Kafka and HTTP. Time passes only during calls and waits of the lane.
 */
export class SimulatedCourse {
  /** Null: still open after so many steps that only waiting is left. */
  end: Conclusion | null = null;
  /** Number of attempts in the result. */
  attempts = 0;
  readonly platform: SimulatedPlatform;
  readonly #asked: FileWork;
  readonly #start: CourseStart;
  readonly #steps: FileSteps;
  #progress: string | null = null;
  #deadlineAtMs: number | null = null;

  constructor(asked: FileWork, course: Course, start: CourseStart) {
    this.platform = new SimulatedPlatform(course, start);
    this.#asked = asked;
    this.#start = start;
    this.#steps = this.#services();
  }

  async run(): Promise<this> {
    const { unreadableFrom = Infinity } = this.#start;
    for (let step = 0; step < MAX_STEPS && this.end === null; step += 1)
      await this.#step(step < unreadableFrom ? this.#asked : UNREADABLE);
    return this;
  }

  async #step(asked: FileWork): Promise<void> {
    const deadlineInMs = this.#deadlineAtMs === null ? null : this.#deadlineAtMs - this.platform.nowMs;
    const command = standIn<LaneWork['command']>({ id: '1', commandId: 'c', progress: this.#progress, deadlineInMs });
    const lane = standIn<LaneWork['lane']>({ tenant: 'acme' });
    const call = { tenant: 'acme', signal: new AbortController().signal, traceparent: CALL_TRACEPARENT };
    const { outcome, dueInMs } = await this.#steps.step({ lane, command, tenant: COURSE_TENANT, call }, asked);
    if (outcome.kind === 'concluded') {
      this.end = outcome.conclusion;
      this.attempts = outcome.attempts ?? 0;
    } else {
      this.#progress = outcome.progress ?? this.#progress;
      if (outcome.attempt?.kind === 'taken-back' && !hasAttempts(this.#progress)) this.#deadlineAtMs = null;
      this.platform.nowMs += dueInMs;
    }
  }

  #services(): FileSteps {
    const { known = NO_IMAGES, perRequest = 10, undone = [], brought: urls = [], invoiceSha256 = null } = this.#start;
    const clock = this.#clock();
    const config = { times: COURSE_TIMES, images: { requestMaxBytes: perRequest * imageOf(1).size } };
    const pdf: HeldUpload = { ...imageOf(1, 'sha-pdf'), uploadId: 'u-pdf', mediaType: 'application/pdf' };
    const found = new Map([pdf, ...[1, 2, 3].map((order) => imageOf(order))].map((each) => [each.uploadId, each]));
    const contents = standIn<Publish[0]>({
      bring: async (_work, wanted) => ({
        kind: 'there',
        uploads: wanted.map(({ source, field }) => ({ uploadId: Object.values(source).join(''), field })),
      }),
    });
    const checks = standIn<Publish[1]>({ faults: async () => new Map(), warnings: async () => [] });
    const uploads = standIn<Publish[2]>({ hold: async (_work, { judge }) => judge(found) });
    const skus = standIn<Publish[4]>({ isKnown: async () => true });
    const applied = standIn<Publish[5]>({ load: async () => known });
    const orderIds = standIn<ConstructorParameters<typeof ReadInvoice>[0]>({ find: async () => 'order-1' });
    const made = standIn<ConstructorParameters<typeof UndoImages>[0]>({ find: async () => ({ images: undone, urls }) });
    const files = standIn<ConstructorParameters<typeof UploadInvoicePdf>[4]>({
      attachedSha256: async () => invoiceSha256,
    });
    const lanes = standIn<Check[0]>({ checkpoint: async (held, save) => save(standIn({}), [...held]) });
    const stored = standIn<Check[3]>({ lock: async () => found, prolong: async () => iso(clock.now()) });
    const platform = this.platform.adapter();
    const attempts = this.#attempts();
    const failedReads = new FailedReads(clock);
    const ways = this.#deliveries();
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

  #deliveries(): ImageDeliveries {
    const drop = standIn<ConstructorParameters<typeof ImageDeliveries>[1]>({
      has: () => this.#start.isSftp ?? false,
      nameOf: (_tenant, reference, { order }) => `${reference}_${order}.png`,
      place: async ({ images }) => {
        const away = this.platform.place(images);
        if (away === null) return { placed: images.map(({ order }) => order), problem: null };
        return { placed: [], problem: { kind: 'unavailable', cause: 'sftp-unreachable', ...away } };
      },
    });
    return new ImageDeliveries(this.platform.adapter(), drop);
  }

  #attempts(): UploadAttempts {
    const { platform } = this;
    return simulatedAttempts({
      nowMs: () => platform.nowMs,
      failures: async () => {
        const known = platform.failures();
        return { failures: known, newestId: known.at(-1)?.id ?? '0' };
      },
      endsProcess: () => platform.endsProcess(),
      onAttempt: (deadlineMs) => (this.#deadlineAtMs ??= platform.nowMs + deadlineMs),
      onEnd: (progress) => (this.#progress = progress),
    });
  }

  #clock(): { readonly now: () => number } {
    return { now: () => this.platform.nowMs };
  }
}
