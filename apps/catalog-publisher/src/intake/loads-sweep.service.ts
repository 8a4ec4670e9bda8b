import { CommandSweep } from '@gondola/lanes/commands/command-sweep';
import { LoadCounts } from '@gondola/lanes/commands/load-counts';
import { Database } from '@gondola/service-kit/database/database';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { LoadsRepository } from './loads.repository.ts';

/**
 * Deletes loads together with the commands of their records, so that no load exists without the rows that it counts.
 */
@Injectable()
export class LoadsSweep implements OnModuleInit {
  constructor(
    private readonly sweep: CommandSweep,
    private readonly database: Database,
    private readonly loads: LoadsRepository,
    private readonly counts: LoadCounts,
  ) {}

  onModuleInit(): void {
    this.sweep.beforehand((before) => this.#deleteEnded(before));
  }

  async #deleteEnded(before: Date): Promise<void> {
    for (let after = '0'; ;) {
      const loads = await this.loads.begunBefore(before, after);
      const goOn = await this.counts.goOn(this.database, loads, before);
      for (const [index, load] of loads.entries()) if (!goOn[index]) await this.loads.delete(load, before);
      if (loads.length === 0) return;
      after = loads.at(-1)!.id;
    }
  }
}
