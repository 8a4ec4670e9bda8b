import { testStack } from '@gondola/local-stack/test-stack';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Client } from 'pg';
import { Receiver } from './support/receiver.ts';
import { Shop } from './support/shop.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

describe('Shop.open, if the sandbox does not start,', () => {
  it('leaves no receiver and no schema behind', async () => {
    const listen = jest.spyOn(Receiver, 'listen');
    const failure = await Shop.open({ MIGRATIONS: 'off' }).then(
      () => 'none',
      (error: Error) => error.message,
    );
    const schema = /test_sandbox_\w+/.exec(failure)?.[0];
    expect(schema).toBeDefined();
    expect(await schemasNamed(schema!)).toBe(0);
    const receiver = await (listen.mock.results[0]!.value as Promise<Receiver>);
    expect(receiver.isListening).toBe(false);
  });
});

async function schemasNamed(name: string): Promise<number | null> {
  const client = new Client({ connectionString: testStack().databaseUrl });
  await client.connect();
  try {
    return (await client.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [name])).rowCount;
  } finally {
    await client.end();
  }
}
