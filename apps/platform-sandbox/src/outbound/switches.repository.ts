import { Injectable } from '@nestjs/common';
import { DEFAULT_BEHAVIOUR, type Behaviour } from '../domain/behaviour.ts';
import type { Queryable } from './queryable.ts';

const SENDER_PAUSED = 'sender-paused';
const BEHAVIOUR = 'behaviour';

/** What an operator of the sandbox set and a restart keeps. */
@Injectable()
export class SwitchesRepository {
  async isSenderPaused(db: Queryable): Promise<boolean> {
    return (await this.read(db, SENDER_PAUSED)) === 'on';
  }

  async setSenderPaused(db: Queryable, paused: boolean): Promise<void> {
    await this.write(db, SENDER_PAUSED, paused ? 'on' : 'off');
  }

  async behaviour(db: Queryable): Promise<Behaviour> {
    const stored = await this.read(db, BEHAVIOUR);
    return { ...DEFAULT_BEHAVIOUR, ...(JSON.parse(stored ?? '{}') as Partial<Behaviour>) };
  }

  async setBehaviour(db: Queryable, behaviour: Behaviour): Promise<void> {
    await this.write(db, BEHAVIOUR, JSON.stringify(behaviour));
  }

  private async read(db: Queryable, name: string): Promise<string | undefined> {
    const { rows } = await db.query<{ value: string }>('SELECT value FROM switches WHERE name = $1', [name]);
    return rows[0]?.value;
  }

  private async write(db: Queryable, name: string, value: string): Promise<void> {
    await db.query(
      'INSERT INTO switches (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      [name, value],
    );
  }
}
