import { Database } from '@gondola/service-kit/database/database';
import type { Startable } from '@gondola/service-kit/run/startable';
import { CONFIG } from '@gondola/service-kit/run/injected';
import { Inject, Injectable } from '@nestjs/common';
import type { SandboxConfig } from '../config.ts';
import { newGuid, type RandomSource } from '../domain/guid.ts';
import { seededRandom, systemRandom } from '../outbound/random-source.ts';

/**
 * Every id that the platform makes. With a seed, a fresh schema and the same calls make the same ids; the number of the
 * start goes into the seed, so that a restart never makes an id twice.
 */
@Injectable()
export class Ids implements Startable {
  readonly name = 'ids';
  private random: RandomSource = systemRandom;

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: SandboxConfig,
  ) {}

  async start(): Promise<void> {
    const { randomSeed } = this.config.settings;
    if (randomSeed === null) return;
    const { rows } = await this.database.query<{ boot: string }>(`SELECT nextval('boots') AS boot`);
    this.random = seededRandom(`${randomSeed}:${rows[0]?.boot}`);
  }

  async stop(): Promise<void> {}

  newGuid(): string {
    return newGuid(this.random);
  }

  /** 32 hexadecimal digits. */
  newTraceId(): string {
    return Buffer.from(this.random.bytes(16)).toString('hex');
  }
}
