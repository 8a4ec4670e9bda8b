import { readTopics } from '@gondola/local-stack/testing/topic-reader';
import { TestInstallation } from '@gondola/kafka/testing/test-installation';
import { testStack } from '@gondola/local-stack/test-stack';
import { endLeases, namedConnections } from '@gondola/lanes/testing/end-leases';
import { NO_RECOVERY } from './order-app.ts';
import { orderData } from './platform-order.ts';
import { OrderPlatform } from './order-platform.ts';

const EVENTS = 'erp.orders.events.v1';

export interface PublishedOrder {
  readonly orderNumber: number;
  readonly type: string;
  readonly cause: string;
  readonly revision: number;
}

/** An installation whose app runs in a process of its own, and a platform that knows two of three order numbers. */
export class PlatformOfRecovery {
  readonly #hangsAt = new Map<number, () => void>();
  #readings = 0;

  private constructor(
    private readonly platform: OrderPlatform,
    private readonly installation: TestInstallation,
  ) {
    platform.on.payload = ({ path }) => {
      const number = Number(/Orders\/(\d+)\//.exec(path)?.[1]);
      this.#readings += 1;
      const reached = this.#hangsAt.get(this.#readings);
      if (reached !== undefined) {
        reached();
        return 'hang';
      }
      if (!this.has(number)) return { status: 404 };
      return { status: 200, json: JSON.parse(orderData({ number, status: 300, updatedAt: '2026-11-20T10:15:00' })) };
    };
  }

  static async start(label: string, recovery: object): Promise<PlatformOfRecovery> {
    const platform = await OrderPlatform.start();
    const tenant = {
      id: 'acme',
      contractAccountId: '11111111-1111-4111-8111-111111111111',
      platform: { baseUrl: platform.url, username: 'erp-one', password: { env: 'TEST_PLATFORM_PASSWORD' } },
      recovery: { ...NO_RECOVERY, ...recovery },
    };
    // Longer than the test: only `endLeases` gives up what a killed process held.
    const env = { LANE_LEASE_MS: '900000', PLATFORM_TIMEOUT_MS: '300000', KAFKA_SESSION_MS: '6000' };
    const installation = await TestInstallation.create({ label, tenants: [tenant], env }, () => platform.stop());
    return new PlatformOfRecovery(platform, installation);
  }

  get env(): Readonly<Record<string, string>> {
    const { env } = this.installation;
    return { ...env, DATABASE_URL: namedConnections(env['DATABASE_URL']!, env['DATABASE_SCHEMA']!) };
  }

  /** Ends the leases of the process that was killed. */
  async endLeases(): Promise<void> {
    const { env } = this.installation;
    const schema = env['DATABASE_SCHEMA']!;
    await endLeases({ url: env['DATABASE_URL']!, schema }, schema);
  }

  get folder(): string {
    return this.installation.folder;
  }

  has(number: number): boolean {
    return number % 3 !== 0;
  }

  /** Leaves a reading, counted from 1, without an answer; resolves once it is there. */
  hangsAt(reading: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#hangsAt.set(reading, resolve);
    return promise;
  }

  readings(): number {
    return this.#readings;
  }

  /** Events of the topic, repeats by `id` left out, once there are so many. */
  async published(count: number): Promise<PublishedOrder[]> {
    const reader = await readTopics(testStack().kafkaBrokers, [this.installation.prefix + EVENTS]);
    const byId = new Map<string, PublishedOrder>();
    try {
      await reader.waitForRecords(
        (records) => {
          for (const { value } of records) {
            const event = JSON.parse(String(value)) as PublishedOrder & { id: string; cause: { kind: string } };
            byId.set(event.id, { ...event, cause: event.cause.kind });
          }
          return byId.size >= count;
        },
        { describe: `${count} events` },
      );
    } finally {
      await reader.close();
    }
    return [...byId.values()];
  }

  async until(condition: () => Promise<boolean>): Promise<void> {
    await this.installation.until(condition);
  }

  async close(): Promise<void> {
    await this.installation.close();
  }
}
