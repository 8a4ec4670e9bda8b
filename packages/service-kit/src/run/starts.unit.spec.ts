import { Inject, Injectable, Module } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { AppOptions } from './app-options.ts';
import { shelfApp } from '../testing/shelf-app.ts';
import { Clock } from './clock.ts';
import type { RunningApp } from './create-app.ts';
import { CONFIG, TENANTS } from '../config/injected.ts';
import { Randomness } from './randomness.ts';
import { type Startable, Starts } from './startable.ts';

const story: string[] = [];
let running: RunningApp | undefined;

class Part implements Startable {
  readonly name = this.constructor.name;

  async start(): Promise<void> {
    story.push(`${this.name} started`);
  }

  async stop(): Promise<void> {
    story.push(`${this.name} stopped`);
  }
}

@Injectable()
class Crane extends Part {}

@Injectable()
class Belt extends Part {}

@Starts(Crane, Belt)
@Module({ providers: [Belt, Crane], exports: [Belt] })
class MachinesModule {}

@Injectable()
class Worker extends Part {
  constructor(
    readonly belt: Belt,
    readonly clock: Clock,
    readonly randomness: Randomness,
    @Inject(CONFIG) readonly config: { readonly tenants: readonly { id: string }[] },
    @Inject(TENANTS) readonly tenants: readonly { id: string }[],
  ) {
    super();
  }
}

@Starts(Worker)
@Module({ imports: [MachinesModule], providers: [Worker] })
class WorkModule {}

@Starts(Crane)
@Module({ imports: [MachinesModule] })
class ForgetfulModule {}

const http = { host: '127.0.0.1', port: 0, operationsToken: null } as const;

async function app(options: Partial<AppOptions>): Promise<RunningApp> {
  running = await shelfApp([], { config: { http, tenants: [{ id: 'acme' }] }, ...options });
  return running;
}

afterEach(async () => {
  await running?.stop();
  running = undefined;
  story.splice(0);
});

describe('@Starts', () => {
  it('starts the startables of a module in order, imported modules first, and stops in reverse', async () => {
    const last: Startable = { name: 'last', start: async () => void story.push('last'), stop: async () => {} };
    const shelf = await app({ module: WorkModule, startables: () => [last] });
    await shelf.start();
    expect(story.splice(0)).toEqual(['Crane started', 'Belt started', 'Worker started', 'last']);
    await shelf.stop();
    expect(story).toEqual(['Worker stopped', 'Belt stopped', 'Crane stopped']);
  });

  it('refuses a class that the module does not provide', async () => {
    await expect(app({ module: ForgetfulModule })).rejects.toThrow(
      'ForgetfulModule starts Crane but does not provide it',
    );
  });
});

it('constructors can inject configuration, tenants, clock and randomness', async () => {
  const { app: nest } = await app({ module: WorkModule });
  const { belt, clock, randomness, config, tenants } = nest.get(Worker, { strict: false });
  expect(belt).toBeInstanceOf(Belt);
  expect(config.tenants).toBe(tenants);
  expect(tenants).toEqual([{ id: 'acme' }]);
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(60_000);
  expect(randomness.bytes(16)).toHaveLength(16);
});
