import 'reflect-metadata';
import { Commands } from '@gondola/messaging/commands/commands';
import { CommandsModule } from '@gondola/messaging/commands/commands.module';
import { BatchIntake } from '@gondola/messaging/consume/batch-intake';
import { ConsumedRecords } from '@gondola/messaging/consume/consumed-records';
import { LaneWorkers } from '@gondola/messaging/lanes/lane-workers';
import { Lanes, laneText } from '@gondola/messaging/lanes/lanes';
import { OutboxRelay } from '@gondola/messaging/outbox/outbox-relay';
import { Outbox } from '@gondola/messaging/outbox/outbox';
import { loadTenants } from '@gondola/service-kit/config/tenants-file';
import { Database } from '@gondola/service-kit/database/database';
import { createLogger, LOGGER } from '@gondola/service-kit/logging/logger';
import { createHttpAdapter } from '@gondola/service-kit/http/http-adapter';
import { PlatformClients } from '@gondola/service-kit/platform/platform-clients';
import { Clock } from '@gondola/service-kit/run/clock';
import { CONFIG, TENANTS } from '@gondola/service-kit/config/injected';
import { Randomness } from '@gondola/service-kit/run/randomness';
import { type INestApplicationContext, Module, type Provider, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Registry } from 'prom-client';
import { FILE_COMMANDS, readFileCommandIdentity } from '../../src/commands/file-command-identity.ts';
import { FILE_COMMAND_REPORT } from '../../src/commands/file-command-identity.ts';
import { fileEntities, fileMigrations } from '../../src/database.schema.ts';
import { ContentDecoder } from '../../src/contents/content-decoder.adapter.ts';
import { FetchedContentsRepository } from '../../src/fetching/fetched-contents.repository.ts';
import { LanesModule } from '../../src/lanes/lanes.module.ts';
import { PlatformAdapter } from '../../src/platform/platform.adapter.ts';
import { SkusRepository } from '../../src/skus/skus.repository.ts';
import { ImageUploadsRepository } from '../../src/images/image-uploads.repository.ts';
import { UploadsRepository } from '../../src/uploads/uploads.repository.ts';
import { ReceiveUpload } from '../../src/uploads/receive-upload.service.ts';
import { type ContentSteps, type Death, killAround } from './mortal-platform.ts';

export interface LoneWorkerOptions {
  readonly url: string;
  readonly schema: string;
  readonly tenantsFile: string;
  readonly tenant: string;
  readonly imageRequestMaxBytes: number;
  /** Holds a folder for each tenant; absent: no content by path. */
  readonly filesRoot?: string;
  readonly death: Death | null;
}

const KEEP_MS = 3_600_000;
const MAX_BYTES = 1_000_000;
const LEASE_MS = 240_000;
/** Never what a busy machine takes to read or decode a content. */
const CONTENT_MS = 200_000;
/** Tolerates a busy machine: unlike an app, a lone worker does not retry its connection. */
const QUERY_TIMEOUT_MS = 60_000;

@Module({})
class LoneWorkerModule {}

/** The workers of one tenant's lanes without consumers and relay: published records stay in the outbox. */
export class LoneWorker {
  private constructor(
    private readonly app: INestApplicationContext,
    private readonly tenant: string,
  ) {}

  static async open(options: LoneWorkerOptions): Promise<LoneWorker> {
    const providers = providersOf(options);
    const module = {
      module: LoneWorkerModule,
      global: true,
      imports: [CommandsModule.register(FILE_COMMAND_REPORT), LanesModule],
      providers,
      exports: providers,
    };
    const app = await NestFactory.create(module, createHttpAdapter({}), { logger: false, abortOnError: false });
    await app.init();
    const worker = new LoneWorker(app, options.tenant);
    if (options.death !== null) killAround(worker.#get(PlatformAdapter), worker.#contents(), options.death);
    return worker;
  }

  get database(): Database {
    return this.#get(Database);
  }

  async start(): Promise<void> {
    await this.database.connect();
    await this.startLanes();
  }

  async startLanes(): Promise<void> {
    await this.#get(LaneWorkers).start();
  }

  async stop(): Promise<void> {
    await this.#get(LaneWorkers).stop();
    await this.#get(PlatformClients).stop();
    await this.database.close();
    await this.app.close();
  }

  async upload(content: Buffer): Promise<string> {
    const source = new Blob([new Uint8Array(content)]).stream();
    const received = await this.#get(ReceiveUpload).receive(this.tenant, source);
    if (received.kind !== 'stored') throw new Error('The test content was not stored');
    return received.upload.uploadId;
  }

  async knowSku(externalReference: string): Promise<void> {
    const { tenant } = this;
    await this.database.transaction((tx) =>
      this.#get(SkusRepository).save(tx, [{ tenant, externalReference, exists: true }]),
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
    const upload = await this.#get(UploadsRepository).find(tenant, uploadId);
    const images = [{ ...upload!, mediaType: 'image/png' as const, order: 1 }];
    const made = { tenant, commandId, externalReference, images, urls };
    await this.database.transaction((tx) => this.#get(ImageUploadsRepository).save(tx, made));
  }

  async storeCommand(command: Record<string, unknown>): Promise<void> {
    const value = Buffer.from(JSON.stringify(command));
    const reading = readFileCommandIdentity(value, { tenantHeader: this.tenant, tenants: [this.tenant] });
    if (reading.kind !== 'command') throw new Error('The test command is none');
    const { commandId, command: name, contentHash, tenant } = reading.identity;
    const lane = { tenant, ...reading.identity.lane };
    await this.database.transaction(async (tx) => {
      const laneId = (await this.#get(Lanes).wake(tx, [lane])).get(laneText(lane))!;
      const about = { laneId, tenant, topic: FILE_COMMANDS, commandId, command: name } as const;
      await this.#get(Commands).insert(tx, [
        { ...about, contentHash, value, traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
      ]);
    });
  }

  /** Values in the outbox, in order. */
  async published(): Promise<Record<string, unknown>[]> {
    const { rows } = await this.database.query<{ value: Buffer }>('SELECT value FROM outbox ORDER BY seq');
    return rows
      .map(({ value }) => JSON.parse(value.toString('utf8')) as Record<string, unknown>)
      .filter(({ tenant }) => tenant === this.tenant);
  }

  #contents(): ContentSteps {
    const [uploads, fetched] = [this.#get(UploadsRepository), this.#get(FetchedContentsRepository)];
    return { uploads, fetched, decoder: this.#get(ContentDecoder) };
  }

  #get<T>(token: Type<T>): T {
    return this.app.get(token, { strict: false });
  }
}

function providersOf({
  url,
  schema,
  tenantsFile,
  tenant,
  imageRequestMaxBytes,
  filesRoot = null,
}: Omit<LoneWorkerOptions, 'filesRoot'> & { filesRoot?: string | null }) {
  const env = { TEST_PLATFORM_PASSWORD: 'not-a-secret-in-a-test', TEST_SFTP_PASSWORD: 'not-a-secret-either' };
  const tenants = loadTenants(tenantsFile, env, ['platform', 'uploads', 'sftp']).filter(({ id }) => id === tenant);
  const times = {
    leaseMs: LEASE_MS,
    platformTimeoutMs: 60_000,
    uploadTimeoutMs: 60_000,
    lostAnswerMs: 200,
    readBackMs: 50,
    referenceCheckMs: 1_000,
  };
  const uploads = { keepMs: KEEP_MS, maxBytes: MAX_BYTES, quotaBytes: 1_000_000_000, disk: null };
  const fetching = { filesRoot, timeoutMs: CONTENT_MS, retryMs: 50, dnsServers: [] };
  const pictures = { maxPixels: 1_000_000, checkMs: CONTENT_MS };
  const config = { pictures, times, images: { requestMaxBytes: imageRequestMaxBytes }, uploads, fetching, tenants };
  const tables = { entities: fileEntities, migrations: fileMigrations };
  const database = new Database({ url, schema, ...tables, poolSize: 4, queryTimeoutMs: QUERY_TIMEOUT_MS });
  return [
    { provide: CONFIG, useValue: config },
    { provide: TENANTS, useValue: tenants },
    { provide: LOGGER, useValue: createLogger({ app: 'file-gateway', level: 'warn' }) },
    { provide: Database, useValue: database },
    { provide: Registry, useValue: new Registry() },
    { provide: Outbox, useValue: new Outbox('file-gateway') },
    { provide: OutboxRelay, useValue: { wake: () => {} } },
    { provide: ConsumedRecords, useValue: { upTo: () => Date.now(), ask: () => 0 } },
    { provide: BatchIntake, useValue: {} },
    Clock,
    Randomness,
    Lanes,
    Commands,
  ] satisfies Provider[];
}
