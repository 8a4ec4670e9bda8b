import { createHash, randomBytes } from 'node:crypto';
import { Database } from '@gondola/service-kit/database/database';
import { CONFIG } from '@gondola/service-kit/config/injected';
import type { Startable } from '@gondola/service-kit/run/startable';
import { Inject, Injectable } from '@nestjs/common';
import type { SandboxConfig } from '../config.ts';

/**
 * Creates all ids of the platform. With a seed, a fresh schema and the same calls give the same ids. The number of
 * the start is part of the seed, so that a restart never repeats an id.
 */
@Injectable()
export class Ids implements Startable {
  readonly name = 'ids';
  /** Returns 16 bytes. */
  private random = (): Buffer => randomBytes(16);

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: SandboxConfig,
  ) {}

  async start(): Promise<void> {
    const { randomSeed } = this.config.settings;
    if (randomSeed === null) return;
    const { rows } = await this.database.query<{ boot: string }>(`SELECT nextval('boots') AS boot`);
    let drawn = 0;
    this.random = () =>
      createHash('sha256').update(`${randomSeed}:${rows[0]?.boot}:${drawn++}`).digest().subarray(0, 16);
  }

  async stop(): Promise<void> {}

  /** A version 4 GUID in lower case. */
  newGuid(): string {
    const bytes = this.random();
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
    const hex = bytes.toString('hex');
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  }

  /** 32 hexadecimal digits. */
  newTraceId(): string {
    return this.random().toString('hex');
  }
}
