import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { freePort } from './free-port.ts';
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
        return asked.length === 1 ? taken : serve(port);
      }),
    );
    expect(asked).toHaveLength(2);
    expect(server.port).toBe(asked[1]);
    await server.stop();
  });

  it('takes the usual port if it is free, else that of the last start, else any', async () => {
    await using folder = await temporaryFolder();
    const usualPort = await freePort();
    const start = async () => {
      const server = await startServer({ ...plan(folder.path, serve), usualPort });
      await server.stop();
      return server.port;
    };
    const another = await listenOn(usualPort);
    const any = await start();
    expect(any).not.toBe(usualPort);
    expect(await start()).toBe(any);
    another.close();
    await once(another, 'close');
    expect(await start()).toBe(usualPort);
    const others = [await listenOn(usualPort), await listenOn(any)];
    expect([usualPort, any]).not.toContain(await start());
    for (const other of others) other.close();
  });

  it('fails with the log of this start only', async () => {
    await using folder = await temporaryFolder();
    const say = (line: string) => startServer(plan(folder.path, () => script(`echo ${line}; exit 1`)));
    await expect(say('first')).rejects.toMatchObject({ code: 'SERVER_FAILED' });
    await expect(say('second')).rejects.toThrow(/^Toy ended on starting; its log ends:\nsecond$/);
  });
});

type Command = { command: string; args: string[] };

function serve(port: number): Command {
  return { command: process.execPath, args: ['-e', SERVE, String(port)] };
}

async function listenOn(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function script(text: string): Command {
  return { command: '/bin/sh', args: ['-c', text] };
}

function plan(folder: string, commandFor: (port: number) => Command): ServerPlan {
  return {
    name: 'Toy',
    folder: { path: folder, release: async () => {} },
    stopSignal: 'SIGTERM',
    order: async (port) => ({ ...commandFor(port), env: {}, logFile: join(folder, 'toy.log') }),
    isReady: async (port) => (await fetch(`http://127.0.0.1:${port}`)).ok,
  };
}
