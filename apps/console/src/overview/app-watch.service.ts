import { Clock } from '@gondola/service-kit/run/clock';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { RepeatingTask } from '@gondola/service-kit/run/repeating-task';
import { Inject, Injectable } from '@nestjs/common';
import { APP_NAMES, type AppName } from '../operations-apis/app-name.ts';
import { OperationsApis } from '../operations-apis/operations-apis.adapter.ts';
import { type AppLook, type AppState, readLook } from './app-state.ts';

const EVERY_MS = 5_000;
const ANSWER_MS = 4_000;

/**
 * Looks at all apps every few seconds, so that it is known since when an app is in its state, and that a page costs
 * the apps nothing, however many read it.
 */
@Injectable()
export class AppWatch extends RepeatingTask {
  readonly #apis: OperationsApis;
  readonly #clock: Clock;
  readonly #states = new Map<AppName, AppState>();
  #first: Promise<void> | undefined;

  constructor(apis: OperationsApis, clock: Clock, @Inject(LOGGER) logger: Logger) {
    super({ name: 'app watch', everyMs: EVERY_MS, run: () => this.look(), logger });
    this.#apis = apis;
    this.#clock = clock;
  }

  /** The latest state of each app. */
  async states(): Promise<readonly AppState[]> {
    if (this.#states.size === 0) await (this.#first ??= this.look());
    return [...this.#states.values()];
  }

  async look(): Promise<void> {
    const looks = await Promise.all(APP_NAMES.map(async (app) => [app, await this.#lookAt(app)] as const));
    const now = new Date(this.#clock.now()).toISOString();
    for (const [app, look] of looks) {
      const before = this.#states.get(app);
      this.#states.set(app, { app, since: before?.state === look.state ? before.since : now, ...look });
    }
  }

  async #lookAt(app: AppName): Promise<AppLook> {
    const [ready, info] = await Promise.all([this.#ask(app, '/health/ready'), this.#ask(app, '/api/info')]);
    return readLook(ready, info);
  }

  async #ask(app: AppName, path: string): Promise<{ status: number; content: unknown } | null> {
    try {
      const { status, body } = await this.#apis.call(app, { method: 'GET', path, limitMs: ANSWER_MS });
      return { status, content: JSON.parse(body.toString('utf8')) as unknown };
    } catch {
      return null;
    }
  }
}
