import { Database, type Tx } from '@gondola/service-kit/database/database';
import type { Startable } from '@gondola/service-kit/run/startable';
import { Injectable } from '@nestjs/common';
import { DEFAULT_BEHAVIOUR, type Behaviour } from './behaviour.ts';
import { SwitchEntity } from './switch.entity.ts';

/** The current switches: in memory for fast reads, and in the database so that they outlive a restart. */
@Injectable()
export class SwitchBoard implements Startable {
  readonly name = 'switches';
  private current: Behaviour = DEFAULT_BEHAVIOUR;

  constructor(private readonly database: Database) {}

  async start(): Promise<void> {
    this.current = await this.stored();
  }

  async stop(): Promise<void> {}

  get behaviour(): Behaviour {
    return this.current;
  }

  /** Changes the named switches; the others stay. */
  async change(changed: Partial<Behaviour>): Promise<Behaviour> {
    this.current = await this.database.transaction(async (tx) => {
      const behaviour = { ...(await this.stored(tx)), ...changed };
      await this.database
        .repository(SwitchEntity, tx)
        .upsert({ name: 'behaviour', value: JSON.stringify(behaviour) }, ['name']);
      return behaviour;
    });
    return this.current;
  }

  private async stored(tx?: Tx): Promise<Behaviour> {
    const found = await this.database.repository(SwitchEntity, tx).findOneBy({ name: 'behaviour' });
    return { ...DEFAULT_BEHAVIOUR, ...(JSON.parse(found?.value ?? '{}') as Partial<Behaviour>) };
  }
}
