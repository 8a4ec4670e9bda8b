import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { choosePorts } from './ports.ts';

let folder: string;
let holder: Server;
let busy: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gondola-ports-'));
  holder = createServer();
  await new Promise<void>((resolve) => void holder.listen(0, '127.0.0.1', resolve));
  busy = (holder.address() as AddressInfo).port;
});

afterEach(async () => {
  await new Promise((resolve) => holder.close(resolve));
  await rm(folder, { recursive: true });
});

async function choose(app: string, said: string[] = []): Promise<Record<string, number>> {
  const file = join(folder, 'ports.json');
  await writeFile(file, JSON.stringify({ [app]: busy }));
  return choosePorts([app], { file, say: (line) => void said.push(line) });
}

describe('a port that is in use when npm start begins', () => {
  it('is replaced by another one, and the sentence says app, port and the other one', async () => {
    const said: string[] = [];
    const ports = await choose('file-gateway', said);
    expect(ports['file-gateway']).not.toBe(busy);
    expect(said).toEqual([`port ${busy} is in use, so file-gateway listens on ${ports['file-gateway']}`]);
    expect(JSON.parse(await readFile(join(folder, 'ports.json'), 'utf8'))).toEqual(ports);
  });

  it('ends the start where the webhook points to it, with app, port and what to do', async () => {
    await expect(choose('webhook-ingest')).rejects.toThrow(
      `Port ${busy} of webhook-ingest, to which the shop's webhook points, is in use: free it and run npm start again, ` +
        'or start over with npm run reset',
    );
  });
});
