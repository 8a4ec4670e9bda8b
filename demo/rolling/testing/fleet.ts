import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { FROM_SOURCES } from '@gondola/local-stack/child-app';
import { type AppProcess, startAppProcess } from '@gondola/local-stack/testing/app-process';
import { Balancer } from './balancer.ts';

/** Apps that take part in a roll-out. */
const ROLLED = ['webhook-ingest', 'catalog-publisher', 'order-command-handler', 'file-gateway'] as const;
export type Rolled = (typeof ROLLED)[number];

const REPLICAS = 2;

export interface FleetOptions {
  /** Variables of every app. */
  readonly env: Readonly<Record<string, string>>;
  readonly schemaOf: (app: Rolled) => string;
  /** Folder of the spools, which outlive their replicas as volumes do, and of the logs. */
  readonly folder: string;
}

/** The replicas of all apps, each app behind one address. */
export class Fleet {
  readonly #options: FleetOptions;
  readonly #balancers: ReadonlyMap<Rolled, Balancer>;
  readonly #replicas = new Map<string, AppProcess>();

  private constructor(options: FleetOptions, balancers: ReadonlyMap<Rolled, Balancer>) {
    this.#options = options;
    this.#balancers = balancers;
  }

  /** A fleet without replicas. */
  static async create(options: FleetOptions): Promise<Fleet> {
    const balancers = ROLLED.map(async (app) => [app, await Balancer.start()] as const);
    return new Fleet(options, new Map(await Promise.all(balancers)));
  }

  url(app: Rolled): string {
    return this.#balancers.get(app)!.url;
  }

  /** Migrates all apps, as the chart's jobs do before a roll-out. */
  async migrate(sources: string): Promise<void> {
    const run = promisify(execFile);
    await Promise.all(
      ROLLED.map((app) => {
        const env = { ...process.env, ...this.#environment(app, 0), HTTP_PORT: '1' };
        return run(process.execPath, [...FROM_SOURCES, 'migrate'], { cwd: join(sources, 'apps', app), env });
      }),
    );
  }

  /** Replaces the replicas of each app, or starts them, one after the other; the apps side by side. */
  async roll(sources: string): Promise<void> {
    await Promise.all(
      ROLLED.map(async (app) => {
        for (let place = 0; place < REPLICAS; place += 1) await this.#replace(app, place, sources);
      }),
    );
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#replicas.values()].map((replica) => replica.stop()));
    for (const balancer of this.#balancers.values()) balancer.close();
  }

  /**
   * A replica of a stateful set ends before its successor, which takes over its disk; one of a deployment ends when
   * its successor is ready. It gets no request from before its SIGTERM on.
   */
  async #replace(app: Rolled, place: number, sources: string): Promise<void> {
    const name = `${app}-${place}`;
    const balancer = this.#balancers.get(app)!;
    const before = this.#replicas.get(name);
    const end = async (): Promise<void> => {
      if (before === undefined) return;
      balancer.remove(before.url);
      const { code } = await before.stop();
      if (code !== 0) throw new Error(`${name} ended with ${code}`);
    };
    const start = async (): Promise<void> => {
      const replica = await startAppProcess({
        folder: join(sources, 'apps', app),
        env: this.#environment(app, place),
        logFile: join(this.#options.folder, `${name}.log`),
      });
      this.#replicas.set(name, replica);
      balancer.add(replica.url);
    };
    for (const part of app === 'webhook-ingest' ? [end, start] : [start, end]) await part();
  }

  #environment(app: Rolled, place: number): Record<string, string> {
    const { env, schemaOf, folder } = this.#options;
    const spool = app === 'webhook-ingest' && { SPOOL_DIR: join(folder, `spool-${place}`) };
    return { ...env, DATABASE_SCHEMA: schemaOf(app), MIGRATIONS: 'off', ...spool };
  }
}
