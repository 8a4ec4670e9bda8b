import { Database } from '@gondola/service-kit/database/database';
import type { Startable } from '@gondola/service-kit/run/startable';
import { Injectable } from '@nestjs/common';
import { DEFAULT_BEHAVIOUR, type Behaviour } from '../domain/behaviour.ts';
import { SwitchesRepository } from '../outbound/switches.repository.ts';

/**
 * The switches as they are set: in memory, because everything asks; in the database, because a restart keeps them and a
 * reset does not.
 */
@Injectable()
export class SwitchBoard implements Startable {
  readonly name = 'switches';
  private current: Behaviour = DEFAULT_BEHAVIOUR;

  constructor(
    private readonly database: Database,
    private readonly repository: SwitchesRepository,
  ) {}

  async start(): Promise<void> {
    this.current = await this.repository.behaviour(this.database);
  }

  async stop(): Promise<void> {}

  get behaviour(): Behaviour {
    return this.current;
  }

  /** Changes those that are named, the others stay. */
  async change(changed: Partial<Behaviour>): Promise<Behaviour> {
    this.current = await this.database.transaction(async (tx) => {
      const behaviour = { ...(await this.repository.behaviour(tx)), ...changed };
      await this.repository.setBehaviour(tx, behaviour);
      return behaviour;
    });
    return this.current;
  }
}
