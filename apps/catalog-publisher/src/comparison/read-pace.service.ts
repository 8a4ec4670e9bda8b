import { setTimeout as delay } from 'node:timers/promises';
import { CONFIG } from '@gondola/service-kit/config/injected';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config.ts';

/** Spaces the reads of comparisons per tenant, also when several operators compare at once in this process. */
@Injectable()
export class ReadPace {
  readonly #pauseMs: number;
  /** Time of the next allowed read by tenant, by `performance.now()`. */
  readonly #next = new Map<string, number>();

  constructor(@Inject(CONFIG) { comparison }: Pick<Config, 'comparison'>) {
    this.#pauseMs = 1_000 / comparison.readsPerSecond;
  }

  /** Resolves when the tenant's next read is allowed. */
  async turn(tenant: string): Promise<void> {
    const now = performance.now();
    const at = Math.max(now, this.#next.get(tenant) ?? 0);
    this.#next.set(tenant, at + this.#pauseMs);
    if (at > now) await delay(at - now);
  }
}
