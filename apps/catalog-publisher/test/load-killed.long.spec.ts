import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KilledApp } from './support/killed-app.ts';
import { countsOf, LoadsClient } from './support/loads.ts';
import {
  appliedOf,
  expectedFinals,
  type FileRecord,
  finalsById,
  spoiltFile,
  statesOf,
  withResult,
} from './support/spoilt-file.ts';

const RESULTS = 'erp.catalog.results.v1';

let app: KilledApp;
let client: LoadsClient;
let file: FileRecord[];

async function startShop(label: string, generated: number): Promise<void> {
  file = await spoiltFile(generated);
  app = await KilledApp.create(label, { deadlines: { referencesMs: 2_000 } });
  client = new LoadsClient(() => app.url);
  await app.start();
  await app.installation.readTopics(RESULTS);
}

const published = () => app.installation.published(RESULTS);

describe('a load of real products and 20,000 generated from them into the sandbox', () => {
  beforeAll(() => startShop('cp-load-killed', 20_000));
  afterAll(() => app?.close());

  it('adds up after a SIGKILL halfway, and gives each record exactly one final result (guarantee 3)', async () => {
    const half = Math.ceil(file.length / 2);
    await client.handOver('first', file, half);
    await app.installation.until(async () => ((await client.load('first')).counts['applied'] ?? 0) > half / 4);
    await app.kill();
    await app.start();
    await client.handOver('first', file);
    const load = await client.ended('first');
    expect(load).toMatchObject({ expected: file.length, taken: file.length, total: file.length });
    expect(countsOf(load)).toEqual(statesOf(file));
    const results = withResult(file).length;
    await app.installation.untilCount('final results', () => distinctFinals(), results);
    expect(finalsById(published())).toEqual(expectedFinals(file));
  });

  it('that comes a second time, under whatever name, makes no writing call to the platform (rule 28)', async () => {
    const before = await app.lastRequest();
    expect((await client.begin('first', file.length)).body).toMatchObject({ error: { code: 'LOAD_ENDED' } });
    await client.handOver('second', file);
    const repeated = file.filter(({ state }) => state !== 'unreadable');
    // One id came with two contents: the first is a repeat, the other is refused again.
    const second = countsOf(await client.ended('second'));
    expect((second['repeated'] ?? 0) + (second['invalid'] ?? 0)).toBe(repeated.length);
    const fresh = appliedOf(file, published());
    await client.handOver('fresh', fresh);
    expect(countsOf(await client.ended('fresh'))).toEqual({ unchanged: fresh.length });
    expect(await app.writes(before)).toEqual([]);
  });
});

describe('a smaller load into the sandbox', () => {
  beforeAll(async () => {
    await startShop('cp-load-again', 500);
    await client.handOver('first', file);
    await client.ended('first');
  });
  afterAll(() => app?.close());

  it('can be sent again whole after newer records, and continues after a SIGKILL', async () => {
    const before = await app.lastRequest();
    const { loadId } = (await client.resend({ everything: true })).body;
    await app.installation.until(async () => ((await client.load(loadId)).counts['applied'] ?? 0) > 0);
    await app.kill();
    await app.start();
    await app.installation.until(async () => (await client.load(loadId)).open === 0);
    const { counts, total, expected } = await client.load(loadId);
    expect(total).toBe(expected);
    expect(counts.applied).toBe(file.filter(({ state }) => state === 'applied').length);
    expect((await app.writes(before)).length).toBeGreaterThan(0);
    expect(published().filter(({ value }) => value['command'] === 'resend')).toEqual([]);
  });
});

/** Keys of the final results so far. */
function distinctFinals(): string[] {
  const finals = published().filter(({ value }) => value['final'] === true);
  return [...new Set(finals.map(({ key }) => String(key)))];
}
