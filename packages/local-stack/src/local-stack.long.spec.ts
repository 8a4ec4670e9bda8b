import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { freePort } from './free-port.ts';
import { eraseLocalStack, startLocalStack } from './local-stack.ts';
import { startOf } from './process-table.ts';
import { testStack } from './test-stack.ts';
import { startOwner } from './testing/owner-process.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';
import { waitFor } from './wait-for.ts';

describe('a local stack', () => {
  it('runs beside another one, and keeps its data in a folder until they are erased, which a living owner prevents', async () => {
    await using folder = await temporaryFolder();
    const dir = join(folder.path, 'stack');
    const usualPorts = { kafka: await freePort(), postgres: await freePort() };
    const stack = await startLocalStack({ dir, usualPorts });
    expect(stack).toMatchObject({ kafka: { port: usualPorts.kafka }, postgres: { port: usualPorts.postgres } });
    const ofThisRun = testStack();
    expect(stack.kafkaBrokers).not.toBe(ofThisRun.kafkaBrokers);
    expect(stack.databaseUrl).not.toBe(ofThisRun.databaseUrl);
    for (const { databaseUrl } of [stack, ofThisRun]) {
      const client = new Client({ connectionString: databaseUrl });
      await client.connect();
      await client.query('CREATE TEMPORARY TABLE only_once ()');
      await client.end();
    }
    await expect(eraseLocalStack(dir)).rejects.toMatchObject({ code: 'FOLDER_IN_USE' });
    await stack.kafka?.stop();
    await expect(eraseLocalStack(dir)).rejects.toMatchObject({ code: 'FOLDER_IN_USE' });
    expect((await readdir(dir)).toSorted()).toEqual(['kafka', 'postgres']);
    await stack.postgres?.stop();
    await eraseLocalStack(dir);
    expect(await readdir(dir)).toEqual([]);
  });

  it('starts and stops nothing if it is given servers', async () => {
    const external = { kafkaBrokers: '127.0.0.1:9092', databaseUrl: 'postgres://a:b@127.0.0.1:5432/c' };
    const lines: string[] = [];
    const stack = await startLocalStack({ external, onProgress: (line) => lines.push(line) });
    await stack.stop();
    expect(stack).toMatchObject({ ...external, kafka: undefined, postgres: undefined });
    expect(lines).toEqual(['Kafka is used on 127.0.0.1:9092', 'PostgreSQL is used on 127.0.0.1:5432']);
  });

  it.each(['running', 'frozen'])(
    'leaves neither a process nor a folder behind if its owner is killed while its servers are %s',
    async (state) => {
      await using folder = await temporaryFolder();
      const { owner, pids } = await startOwner('stack-owner.ts', folder.path);
      expect(pids.length).toBeGreaterThan(2);
      if (state === 'frozen') for (const pid of pids) freeze(pid);
      owner.kill('SIGKILL');
      await waitFor(() => pids.every((pid) => !startOf(pid)), { describe: 'the end of every server process' });
      await waitFor(async () => (await readdir(folder.path)).length === 0, { describe: 'the temporary folders to go' });
      await waitFor(() => owner.exitCode ?? owner.signalCode, { describe: 'the end of the owner' });
      expect(owner.signalCode).toBe('SIGKILL');
    },
  );
});

/** A process of PostgreSQL that served a connection may have ended in the meantime. */
function freeze(pid: number): void {
  try {
    process.kill(pid, 'SIGSTOP');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
