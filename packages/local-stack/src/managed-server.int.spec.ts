import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type ServerPlan, startServer } from './managed-server.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

const SERVE = 'require("node:http").createServer((_, answer) => answer.end()).listen(process.argv[1], "127.0.0.1")';

describe('the start of a server', () => {
  it('uses another port if its port was taken in the meantime', async () => {
    await using folder = await temporaryFolder();
    const asked: number[] = [];
    const taken = script('echo "bind: Address already in use" >&2; exit 1');
    const server = await startServer(
      plan(folder.path, (port) => {
        asked.push(port);
        return asked.length === 1 ? taken : { command: process.execPath, args: ['-e', SERVE, String(port)] };
      }),
    );
    expect(asked).toHaveLength(2);
    expect(server.port).toBe(asked[1]);
    await server.stop();
  });

  it('fails with the log of this start only', async () => {
    await using folder = await temporaryFolder();
    const say = (line: string) => startServer(plan(folder.path, () => script(`echo ${line}; exit 1`)));
    await expect(say('first')).rejects.toMatchObject({ code: 'SERVER_FAILED' });
    await expect(say('second')).rejects.toThrow(/^Toy ended on starting; its log ends:\nsecond$/);
  });
});

type Command = { command: string; args: string[] };

function script(text: string): Command {
  return { command: '/bin/sh', args: ['-c', text] };
}

function plan(folder: string, commandFor: (port: number) => Command): ServerPlan {
  return {
    name: 'Toy',
    folder: { path: folder, release: async () => {} },
    port: undefined,
    stopSignal: 'SIGTERM',
    order: async (port) => ({ ...commandFor(port), env: {}, logFile: join(folder, 'toy.log') }),
    isReady: async (port) => (await fetch(`http://127.0.0.1:${port}`)).ok,
  };
}
