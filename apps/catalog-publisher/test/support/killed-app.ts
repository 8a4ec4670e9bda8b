import { join } from 'node:path';
import type { AppProcess } from '@gondola/local-stack/testing/app-process';
import { TEST_ACCOUNT, tenantOn, TestInstallation } from '@gondola/kafka/testing/test-installation';
import type { NotificationParts } from '@gondola/shared/testing/notification';
import { SandboxShop } from './sandbox-shop.ts';

const MERCHANT = {
  tenant: 'acme',
  contractAccountId: TEST_ACCOUNT,
  username: 'erp-one',
  password: 'not-a-secret-in-a-test',
};
const APP_FOLDER = join(import.meta.dirname, '../..');
/** Short, so that lanes of a killed app return soon. */
const ENV = { LOG_LEVEL: 'warn', LANE_LEASE_MS: '6000', PLATFORM_TIMEOUT_MS: '4000' };

/** One call to the platform that changes something. */
interface Written {
  readonly method: string;
  readonly path: string;
}

interface Request extends Written {
  readonly seq: number;
}

/** The app as a process of its own, to be killed, with a shop in the sandbox. */
export class KilledApp {
  readonly #shop: SandboxShop;
  #app: AppProcess | undefined;
  url = '';

  private constructor(
    shop: SandboxShop,
    readonly installation: TestInstallation,
  ) {
    this.#shop = shop;
  }

  static async create(label: string, tenant: object): Promise<KilledApp> {
    let killed: KilledApp | undefined;
    const notify = together<NotificationParts>(async (notifications) => {
      await killed?.installation.notify(MERCHANT.tenant, notifications, 'platform.notifications.catalog.v1');
    });
    const shop = await SandboxShop.start(label, (_, parts) => notify(parts));
    const tenants = [tenantOn(shop.sandbox.url, { ...tenant })];
    const installation = await TestInstallation.create({ label, tenants, env: ENV }, () => shop.close());
    killed = new KilledApp(shop, installation);
    await shop.open(MERCHANT);
    return killed;
  }

  async start(): Promise<void> {
    this.#app = await this.installation.startProcess(APP_FOLDER);
    this.url = this.#app.url;
  }

  /** SIGKILL. */
  async kill(): Promise<void> {
    await this.#app?.kill();
    this.#app = undefined;
  }

  /** Behind which `writes` looks. The sandbox forgets old requests. */
  async lastRequest(): Promise<number> {
    return (await this.#requests(0)).at(-1)?.seq ?? 0;
  }

  /** The calls that changed something at the platform since a request. */
  async writes(after: number): Promise<Written[]> {
    const requests = await this.#requests(after);
    return requests.filter(({ method, path }) => method !== 'GET' && path !== '/v1/Webhooks');
  }

  async #requests(after: number): Promise<Request[]> {
    const requests: Request[] = [];
    for (let from = after; ;) {
      const response = await fetch(`${this.#shop.sandbox.url}/admin/requests?after=${from}`);
      const page = (await response.json()) as Request[];
      if (page.length === 0) return requests;
      requests.push(...page.map(({ seq, method, path }) => ({ seq, method, path })));
      from = page.at(-1)!.seq;
    }
  }

  async close(): Promise<void> {
    await this.#app?.stop();
    await this.installation.close();
  }
}

/** Sends all items that gather during a send in the next one. Each call resolves when its item is sent. */
function together<T>(send: (items: readonly T[]) => Promise<void>): (item: T) => Promise<void> {
  let gathered: T[] = [];
  let next: Promise<void> | undefined;
  let last = Promise.resolve();
  const sendAfter = async (before: Promise<void>): Promise<void> => {
    await before;
    const items = gathered;
    gathered = [];
    next = undefined;
    await send(items);
  };
  return async (item) => {
    gathered.push(item);
    next ??= last = sendAfter(last);
    await next;
  };
}
