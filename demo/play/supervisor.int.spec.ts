import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@gondola/local-stack/wait-for';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type AppPlan, Supervisor } from './supervisor.ts';

const LINES = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
const LAST_LINES = LINES.slice(-25).join('\n');
/** Prints its lines, and runs until it is killed. */
const LASTING = `console.log(${JSON.stringify(LINES.join('\n'))}); setInterval(() => {}, 60_000);`;
const DYING = `console.log('no database'); process.exit(1);`;

describe('the supervisor of the demo', () => {
  let folder: string;
  let probe: Server;
  let plan: AppPlan;
  let supervisor: Supervisor;
  let restarts: string[];
  let givenUp: string[];
  /** Number of kills of the app: it is ready once it has printed its lines once more than that. */
  let deaths: number;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gondola-supervisor-'));
    await mkdir(join(folder, 'dist'));
    await runs(LASTING);
    const logFile = join(folder, 'toy.log');
    deaths = 0;
    // Answers for the app, so that the app needs no port.
    probe = createServer((_, response) => {
      const answer = (log: string) => response.writeHead(log.split('line 30\n').length > deaths + 1 ? 200 : 503).end();
      void readFile(logFile, 'utf8').then(answer, () => answer(''));
    }).listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const url = `http://127.0.0.1:${(probe.address() as AddressInfo).port}`;
    plan = { name: 'toy', cwd: folder, env: {}, url, logFile };
    [restarts, givenUp] = [[], []];
    supervisor = new Supervisor({
      onRestart: (line) => restarts.push(line),
      onGivenUp: (sentence) => givenUp.push(sentence),
    });
  });

  afterEach(async () => {
    await supervisor.stopAll();
    probe.closeAllConnections();
    probe.close();
    await rm(folder, { recursive: true, force: true });
  });

  const runs = (program: string) => writeFile(join(folder, 'dist', 'main.js'), program);
  const kill = async () => {
    await waitFor(() => supervisor.isRunning('toy'), { describe: 'the app to run' });
    deaths += 1;
    await supervisor.kill('toy');
  };

  it('starts an app that dies again twice, then names it with the end of its log', async () => {
    await supervisor.start(plan);
    await kill();
    await kill();
    expect(givenUp).toEqual([]);
    await kill();
    await waitFor(() => givenUp.length > 0, { describe: 'the app to be given up' });
    expect(givenUp).toEqual([`toy does not stay up; the end of ${plan.logFile}:\n${LAST_LINES}`]);
    expect(restarts).toEqual([
      'toy ended by itself and is started again (1 of 2)',
      'toy ended by itself and is started again (2 of 2)',
    ]);
    expect(supervisor.isRunning('toy')).toBe(false);
  });

  it('names an app that does not come up again at once', async () => {
    await supervisor.start(plan);
    await runs(DYING);
    await kill();
    await waitFor(() => givenUp.length > 0, { describe: 'the app to be given up' });
    expect(givenUp).toEqual([expect.stringMatching(/^toy does not stay up; .*\nno database$/s)]);
    expect(restarts).toHaveLength(1);
  });

  it('starts nothing again once it stops all', async () => {
    await supervisor.start(plan);
    await supervisor.stopAll();
    expect([restarts, givenUp]).toEqual([[], []]);
    expect(await readFile(plan.logFile, 'utf8')).toBe(`${LINES.join('\n')}\n`);
  });
});
