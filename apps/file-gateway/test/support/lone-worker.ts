import { Attempts } from '@gondola/messaging/commands/attempts';
import { CommandReport } from '@gondola/messaging/commands/command-report';
import { Commands } from '@gondola/messaging/commands/commands';
import { StepSaver } from '@gondola/messaging/commands/step-saver';
import { LaneWorkers } from '@gondola/messaging/lanes/lane-workers';
import { Lanes, laneText } from '@gondola/messaging/lanes/lanes';
import { Outbox } from '@gondola/messaging/outbox/outbox';
import { Database } from '@gondola/service-kit/database/database';
import { createLogger } from '@gondola/service-kit/logging/logger';
import { PlatformClients } from '@gondola/service-kit/platform/platform-clients';
import { Clock } from '@gondola/service-kit/run/clock';
import { loadTenants } from '@gondola/service-kit/config/tenants-file';
import { Registry } from 'prom-client';
import { FILE_COMMAND_REPORT } from '../../src/commands/file-commands.metrics.ts';
import { ReceiveUpload } from '../../src/uploads/receive-upload.service.ts';
import { FILE_COMMANDS } from '../../src/commands/read-file-command.ts';
import { readFileCommandIdentity } from '../../src/commands/read-file-command.ts';
import { fileSteps } from '../../src/file-workers.ts';
import { AppliedImagesRepository } from '../../src/images/applied-images.repository.ts';
import { FailuresRepository } from '../../src/notifications/failures.repository.ts';
import { fileEntities, fileMigrations } from '../../src/database.schema.ts';
import { InvoiceFilesRepository } from '../../src/invoices/invoice-files.repository.ts';
import { OrderIdsRepository } from '../../src/notifications/order-ids.repository.ts';
import { PlatformAdapter } from '../../src/platform/platform.adapter.ts';
import { SkusRepository } from '../../src/skus/skus.repository.ts';
import { UploadsRepository } from '../../src/uploads/uploads.repository.ts';
import { type Death, mortalPlatform } from './mortal-platform.ts';

export interface LoneWorkerOptions {
  readonly url: string;
  readonly schema: string;
  readonly tenantsFile: string;
  readonly tenant: string;
  readonly leaseMs: number;
  readonly imageRequestMaxBytes: number;
  readonly death: Death | null;
}

const KEEP_MS = 600_000;
/** A busy machine is no failure: unlike an app, a worker alone does not try again to connect. */
const QUERY_TIMEOUT_MS = 60_000;

/** The workers of one tenant's lanes without consumers and relay: what they say is found in the outbox. */
export class LoneWorker {
  readonly database: Database;
  readonly workers: LaneWorkers;
  readonly #lanes: Lanes;
  readonly #commands = new Commands();
  readonly #uploads: UploadsRepository;
  readonly #skus: SkusRepository;
  readonly #clients: PlatformClients;
  readonly #tenant: string;

  constructor({ url, schema, tenantsFile, tenant: id, leaseMs, imageRequestMaxBytes, death }: LoneWorkerOptions) {
    const logger = createLogger({ app: 'file-gateway', level: 'warn' });
    const database = new Database({
      url,
      schema,
      entities: fileEntities,
      migrations: fileMigrations,
      poolSize: 4,
      queryTimeoutMs: QUERY_TIMEOUT_MS,
    });
    this.database = database;
    this.#tenant = id;
    this.#lanes = new Lanes(database);
    this.#uploads = new UploadsRepository(database, { uploads: { keepMs: KEEP_MS } });
    this.#skus = new SkusRepository(database);
    const tenants = loadTenants(tenantsFile, { TEST_PLATFORM_PASSWORD: 'not-a-secret-in-a-test' }, ['platform']);
    const times = {
      leaseMs,
      platformTimeoutMs: 60_000,
      uploadTimeoutMs: 60_000,
      lostAnswerMs: 200,
      readBackMs: 50,
      referenceCheckMs: 1_000,
    };
    this.#clients = new PlatformClients(tenants, { times }, logger);
    const tenant = tenants.find((each) => each.id === id)!;
    const relay = { wake: () => {} };
    const report = new CommandReport(FILE_COMMAND_REPORT, new Registry(), logger);
    const outbox = new Outbox('file-gateway');
    this.workers = new LaneWorkers(this.#lanes, [tenant], { times }, logger);
    for (const steps of fileSteps(
      { times, images: { requestMaxBytes: imageRequestMaxBytes } },
      tenant,
      mortalPlatform(new PlatformAdapter(this.#clients.of(id), this.#uploads), death),
      {
        database,
        lanes: this.#lanes,
        commands: this.#commands,
        attempts: new Attempts(this.#lanes, this.#commands),
        save: new StepSaver(this.#lanes, this.#commands, outbox, relay, report, new Clock()),
        uploads: this.#uploads,
        skus: this.#skus,
        failures: new FailuresRepository(database),
        orderIds: new OrderIdsRepository(database),
        applied: new AppliedImagesRepository(database),
        invoiceFiles: new InvoiceFilesRepository(database),
        logger,
        now: () => Date.now(),
        consumed: { upTo: () => Date.now(), ask: () => 0 },
      },
    ))
      this.workers.add(steps);
  }

  async start(): Promise<void> {
    await this.database.connect();
    await this.workers.start();
  }

  async stop(): Promise<void> {
    await this.workers.stop();
    await this.#clients.stop();
    await this.database.close();
  }

  async upload(content: Buffer): Promise<string> {
    const logger = createLogger({ app: 'file-gateway', level: 'silent' });
    const receive = new ReceiveUpload(this.#uploads, { uploads: { maxBytes: content.length } }, logger);
    const received = await receive.receive(this.#tenant, new Blob([new Uint8Array(content)]).stream());
    if (received.kind !== 'stored') throw new Error('The test content was not stored');
    return received.upload.uploadId;
  }

  async knowSku(externalReference: string): Promise<void> {
    await this.database.transaction((tx) =>
      this.#skus.save(tx, [{ tenant: this.#tenant, externalReference, exists: true }]),
    );
  }

  async storeCommand(command: Record<string, unknown>): Promise<void> {
    const value = Buffer.from(JSON.stringify(command));
    const reading = readFileCommandIdentity(value, { tenantHeader: this.#tenant, tenants: [this.#tenant] });
    if (reading.kind !== 'command') throw new Error('The test command is none');
    const { commandId, command: name, contentHash, tenant } = reading.identity;
    const lane = { tenant, ...reading.identity.lane };
    await this.database.transaction(async (tx) => {
      const laneId = (await this.#lanes.wake(tx, [lane])).get(laneText(lane))!;
      const about = { laneId, tenant, topic: FILE_COMMANDS, commandId, command: name } as const;
      await this.#commands.insert(tx, [
        { ...about, contentHash, value, traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
      ]);
    });
  }

  /** What was told, in order. */
  async told(): Promise<Record<string, unknown>[]> {
    const { rows } = await this.database.query<{ value: Buffer }>('SELECT value FROM outbox ORDER BY seq');
    return rows
      .map(({ value }) => JSON.parse(value.toString('utf8')) as Record<string, unknown>)
      .filter(({ tenant }) => tenant === this.#tenant);
  }
}
