import { Injectable } from '@nestjs/common';
import type { Queryable } from './queryable.ts';

/** What an operator of the sandbox set and a restart keeps. */
@Injectable()
export class SwitchesRepository {
  async isOn(db: Queryable, name: 'sender-paused'): Promise<boolean> {
    const { rows } = await db.query<{ value: string }>('SELECT value FROM switches WHERE name = $1', [name]);
    return rows[0]?.value === 'on';
  }

  async set(db: Queryable, name: 'sender-paused', on: boolean): Promise<void> {
    await db.query(
      'INSERT INTO switches (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      [name, on ? 'on' : 'off'],
    );
  }
}
