import { LoneWorker, type LoneWorkerOptions } from '@gondola/operations/testing/lone-worker';
import {
  FILE_COMMAND_REPORT,
  FILE_COMMANDS,
  readFileCommandIdentity,
} from '../../src/commands/file-command-identity.ts';
import { fileEntities as entities, fileMigrations as migrations } from '../../src/database.schema.ts';
import { ContentDecoder } from '../../src/contents/content-decoder.adapter.ts';
import { FetchedContentsRepository } from '../../src/fetching/fetched-contents.repository.ts';
import { LanesModule } from '../../src/lanes/lanes.module.ts';
import { PlatformAdapter } from '../../src/platform/platform.adapter.ts';
import { SkusRepository } from '../../src/skus/skus.repository.ts';
import { ImageUploadsRepository } from '../../src/images/image-uploads.repository.ts';
import { UploadsRepository } from '../../src/uploads/uploads.repository.ts';
import { ReceiveUpload } from '../../src/uploads/receive-upload.service.ts';
import { type Death, killAround } from './mortal-platform.ts';

export interface FileWorkerOptions extends LoneWorkerOptions {
  readonly imageRequestMaxBytes: number;
  /** Holds a folder for each tenant; absent: no content by path. */
  readonly filesRoot?: string;
  readonly death: Death | null;
}

/** Never what a busy machine takes to read or decode a content. */
const CONTENT_MS = 200_000;
const TIMES = { uploadTimeoutMs: 60_000, lostAnswerMs: 200, readBackMs: 50, referenceCheckMs: 1_000 };
const UPLOADS = { keepMs: 3_600_000, maxBytes: 1_000_000, quotaBytes: 1_000_000_000, disk: null };
/** Some workers of a suite work at a time. */
const POOL_SIZE = 4;

/** The workers of one tenant's lanes, with what its consumers and its HTTP routes would store. */
export class LoneFileWorker extends LoneWorker {
  static async create(options: FileWorkerOptions): Promise<LoneFileWorker> {
    const { filesRoot = null, imageRequestMaxBytes: requestMaxBytes, death } = options;
    const app = {
      name: 'file-gateway',
      database: { entities, migrations, poolSize: POOL_SIZE },
      lanes: LanesModule,
      report: FILE_COMMAND_REPORT,
      config: {
        times: TIMES,
        uploads: UPLOADS,
        images: { requestMaxBytes },
        fetching: { filesRoot, timeoutMs: CONTENT_MS, retryMs: 50, dnsServers: [] },
        pictures: { maxPixels: 1_000_000, checkMs: CONTENT_MS },
      },
    };
    const worker = new LoneFileWorker(await LoneWorker.open(app, options), options.tenant);
    if (death !== null) {
      const contents = {
        uploads: worker.get(UploadsRepository),
        fetched: worker.get(FetchedContentsRepository),
        decoder: worker.get(ContentDecoder),
      };
      killAround(worker.get(PlatformAdapter), contents, death);
    }
    return worker;
  }

  async upload(content: Buffer): Promise<string> {
    const source = new Blob([new Uint8Array(content)]).stream();
    const received = await this.get(ReceiveUpload).receive(this.tenant, source);
    if (received.kind !== 'stored') throw new Error('The test content was not stored');
    return received.upload.uploadId;
  }

  async knowSku(externalReference: string): Promise<void> {
    const { tenant } = this;
    await this.database.transaction((tx) =>
      this.get(SkusRepository).save(tx, [{ tenant, externalReference, exists: true }]),
    );
  }

  /** Records an upload as if a `PublishSkuImages` had uploaded one image. */
  async rememberUpload(
    externalReference: string,
    commandId: string,
    uploadId: string,
    urls: readonly string[],
  ): Promise<void> {
    const { tenant } = this;
    const upload = await this.get(UploadsRepository).find(tenant, uploadId);
    const images = [{ ...upload!, mediaType: 'image/png' as const, order: 1 }];
    const made = { tenant, commandId, externalReference, images, urls };
    await this.database.transaction((tx) => this.get(ImageUploadsRepository).save(tx, made));
  }

  async storeCommand(command: Record<string, unknown>): Promise<void> {
    const value = Buffer.from(JSON.stringify(command));
    const reading = readFileCommandIdentity(value, { tenantHeader: this.tenant, tenants: [this.tenant] });
    if (reading.kind !== 'command') throw new Error('The test command is none');
    const { commandId, command: name, contentHash, tenant, lane } = reading.identity;
    await this.queue({ lane: { tenant, ...lane }, topic: FILE_COMMANDS, commandId, command: name, contentHash, value });
  }

  /** Those of its tenant: workers of others share its schema. */
  async results(): Promise<Record<string, unknown>[]> {
    return (await this.published('erp.files.results.v1')).filter(({ tenant }) => tenant === this.tenant);
  }
}
