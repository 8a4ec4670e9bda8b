import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CatalogInstallation } from './support/catalog-app.ts';
import { countsOf, LoadsClient, sumOf } from './support/loads.ts';
import { fullProduct, fullSku, rejectedReport } from './support/product-samples.ts';
import { silent } from './support/shop.ts';

const product = (reference: string, more: object = {}) => ({
  ...fullProduct({ externalReference: reference, slug: reference }),
  skus: [fullSku({ externalReference: `${reference}-1`, reference })],
  ...more,
});

describe('a load', () => {
  let gondola: CatalogInstallation;
  let client: LoadsClient;
  let replicas: readonly { readonly url: string }[];

  beforeAll(async () => {
    gondola = await CatalogInstallation.create('cp-loads', [{ id: 'acme' }]);
    replicas = [await gondola.startApp(), await gondola.startApp()];
    await gondola.readTopics();
    client = new LoadsClient(() => gondola.installation.running.url);
  });

  afterAll(() => gondola.close());

  const until = (loadId: string, counts: Record<string, number>) =>
    gondola.until(async () => JSON.stringify(countsOf(await client.load(loadId))) === JSON.stringify(counts));

  it('of records with its loadId counts each once, in the state that it is in (contract, Loads)', async () => {
    gondola.shop().fates.set('refused', () => rejectedReport('Slug', 'refused'));
    gondola.shop().fates.set('silent', silent);
    const inLoad = { loadId: 'topic' };
    const again = { value: product('good', { ...inLoad, recordId: 'good' }) };
    await gondola.produce(
      again,
      { value: product('refused', { ...inLoad, recordId: 'refused' }) },
      { value: { externalReference: 'bad', name: 'x', ...inLoad, recordId: 'bad' }, isBad: true },
      { value: product('silent', { ...inLoad, recordId: 'silent' }) },
      { value: product('silent', { ...inLoad, recordId: 'behind', punctuation: 2 }) },
      { value: product('waits', { ...inLoad, recordId: 'waits', brandExternalReference: 'none' }) },
      { value: product('other', { recordId: 'other' }) },
      again,
      { value: product('good', { ...inLoad, recordId: 'good', punctuation: 3 }) },
      { value: product('bad', { loadId: 'x'.repeat(201), recordId: 'no-load' }), isBad: true },
    );
    const counts = { queued: 1, waiting: 1, sent: 1, applied: 1, invalid: 2, refused: 1 };
    await until('topic', counts);
    const load = await client.load('topic');
    expect(load).toMatchObject({ source: 'topic', expected: null, total: 7, open: 3, finishedAt: null });
    expect(load.perMinute).toBeGreaterThan(0);
    expect(load.estimatedEndAt).not.toBeNull();
    expect(load.notApplied).toEqual(
      expect.arrayContaining([{ kind: 'product', identity: 'refused', commandId: 'refused', outcome: 'refused' }]),
    );
    expect((await gondola.resultOf('no-load')).value).toMatchObject({
      outcome: 'invalid',
      reason: { field: 'loadId' },
    });
  });

  it('shows in a metric while something of it is open', async () => {
    await gondola.produce(
      { value: product('m-1', { loadId: 'metric', recordId: 'm-1' }) },
      { value: product('m-2', { loadId: 'metric', recordId: 'm-2', brandExternalReference: 'none' }) },
    );
    await until('metric', { waiting: 1, applied: 1 });
    const response = await fetch(`${gondola.installation.running.url}/metrics`);
    const text = await response.text();
    expect(text).toMatch(/gondola_catalog_load_records\{[^}]*load="metric"[^}]*state="waiting"[^}]*\} 1/);
    expect(text).toMatch(/gondola_catalog_load_records_per_minute\{[^}]*load="metric"[^}]*\} [1-9]/);
    expect(text).toMatch(/gondola_catalog_load_remaining_seconds\{[^}]*load="metric"/);
  });

  it('does not repeat a record that was stored before under any loadId (rule 19)', async () => {
    await gondola.produce({ value: product('early', { loadId: 'first', recordId: 'early' }) });
    await gondola.resultOf('early');
    await gondola.produce({ value: product('early', { loadId: 'later', recordId: 'early' }) });
    // Its key puts it on the partition of the repeat, behind it.
    await gondola.produce({ key: 'early', value: product('after', { loadId: 'later', recordId: 'after' }) });
    await gondola.resultOf('after');
    expect(countsOf(await client.load('later'))).toEqual({ applied: 1 });
    expect(gondola.results('early').filter(({ value }) => value['outcome'] === 'applied')).toHaveLength(1);
  });

  it('of a file stores its records part by part, each part once, with their own ids', async () => {
    const records = [
      product('f-1', { recordId: 'f-1' }),
      product('f-2'),
      '{"externalReference":',
      product('f-3', { recordId: 'f-3' }),
      product('f-3', { recordId: 'f-3' }),
    ];
    expect(await client.begin('file', records.length)).toMatchObject({ status: 200, body: { taken: 0, open: 5 } });
    const parts = [records.slice(0, 3), records.slice(3)] as const;
    const [first, same] = await Promise.all([client.take('file', 0, parts[0]), client.take('file', 0, parts[0])]);
    const statuses = [first.status, same.status].toSorted((one, other) => one - other);
    expect(statuses).toEqual([200, 409]);
    const taken = first.status === 200 ? first : same;
    expect(taken.body).toEqual({ taken: 3, unreadable: [{ index: 2, code: 'NOT_JSON' }] });
    expect(await client.take('file', 5, parts[1])).toMatchObject({
      status: 409,
      body: { error: { code: 'NOT_THE_NEXT' } },
    });
    expect((await client.take('file', 3, [...parts[1], '{}'])).status).toBe(400);
    expect((await client.take('file', 3, parts[1])).body).toEqual({ taken: 5, unreadable: [] });
    await until('file', { applied: 3, repeated: 1, unreadable: 1 });
    const load = await client.load('file');
    expect(load).toMatchObject({ source: 'file', expected: 5, total: 5, open: 0, finishedAt: expect.any(String) });
    expect((await gondola.resultOf('f-1')).value).toMatchObject({ outcome: 'applied' });
    expect((await gondola.resultOf('load/file/1')).value).toMatchObject({ entity: { externalReference: 'f-2' } });
  });

  it('of a file counts every record with a repeated id: the first, its repeats, a different one, and that one’s repeats', async () => {
    const [same, other] = [
      product('one-id', { recordId: 'one-id' }),
      product('one-id', { recordId: 'one-id', ean: '1' }),
    ];
    await client.begin('one-id', 6);
    await client.take('one-id', 0, [same, other, same, other]);
    await client.take('one-id', 4, [other, product('one-id', { recordId: 'one-id', ean: '2' })]);
    await until('one-id', { applied: 1, invalid: 2, repeated: 3 });
    await gondola.resultOf('one-id', 5);
    expect(
      gondola
        .results('one-id')
        .map(({ value }) => value['outcome'])
        .filter((each) => each === 'applied'),
    ).toHaveLength(1);
  });

  it('of a file continues with no other file', async () => {
    await gondola.produce({ value: product('no-file', { loadId: 'no-file', recordId: 'no-file' }) });
    await gondola.resultOf('no-file');
    await client.begin('alone', 2);
    await client.take('alone', 0, [product('alone-1')]);
    expect((await client.begin('alone', 2)).body).toMatchObject({ taken: 1 });
    const ofAnother = { status: 409, body: { error: { code: 'LOAD_OF_ANOTHER' } } };
    expect(await client.begin('alone', 3)).toMatchObject(ofAnother);
    expect(await client.begin('alone', 2, { digest: 'f'.repeat(64) })).toMatchObject(ofAnother);
    expect(await client.begin('alone', 2, { kind: 'brand' })).toMatchObject(ofAnother);
    expect(await client.begin('no-file', 2)).toMatchObject(ofAnother);
    expect((await client.take('nothing', 0, ['{}'])).status).toBe(404);
    expect((await client.take('no-file', 0, ['{}'])).status).toBe(404);
  });

  it('is listed, newest first', async () => {
    await client.begin('older', 1);
    await client.begin('newer', 1);
    const { body } = await client.get('/api/loads?limit=2');
    expect(body).toMatchObject({ entries: [{ loadId: 'newer' }, { loadId: 'older' }], next: expect.any(String) });
    expect((await client.get('/api/loads?tenant=nobody')).body).toEqual({ entries: [], next: null });
    expect((await client.get('/api/loads/none')).status).toBe(404);
  });

  it('of a file is gone on with by its name until it has ended, or another file of its kind came later', async () => {
    const [digest, kind] = ['a'.repeat(64), 'brand'];
    await client.begin('by-name', 2, { digest, kind });
    await client.take('by-name', 0, ['{']);
    await client.begin('overtaking', 1, { digest: 'b'.repeat(64), kind });
    expect(await client.begin('by-name', 2, { digest, kind })).toMatchObject({ status: 200, body: { taken: 1 } });
    await client.take('overtaking', 0, ['{']);
    expect(await client.begin('by-name', 2, { digest, kind })).toMatchObject({
      status: 409,
      body: { error: { code: 'LOAD_OVERTAKEN' } },
    });
    await client.take('by-name', 1, ['{']);
    expect(await client.begin('by-name', 2, { digest, kind })).toMatchObject({
      status: 409,
      body: { error: { code: 'LOAD_ENDED' } },
    });
  });

  it('of a file without a name is one load for all who begin it at once, and a new one when that has ended', async () => {
    const file = { digest: 'c'.repeat(64), kind: 'category' };
    const urls = replicas.map(({ url }) => new LoadsClient(() => url));
    const begunAtOnce = async () => {
      const all = await Promise.all([...urls, ...urls, ...urls].map((each) => each.begin(null, 1, file)));
      return [...new Set(all.map(({ body }) => body.loadId))];
    };
    const [first, ...noOther] = await begunAtOnce();
    expect(noOther).toEqual([]);
    await client.take(first!, 0, [{ externalReference: 'without-name', nonsense: 1 }]);
    await client.ended(first!);
    const [second, ...none] = await begunAtOnce();
    expect([none, second === first]).toEqual([[], false]);
    await client.take(second!, 0, [{ externalReference: 'without-name', nonsense: 1 }]);
    expect((await client.ended(second!)).counts).toMatchObject({ invalid: 1, repeated: 0 });
  });

  it('has counts that add up at any time, on either replica, while its records are worked on', async () => {
    const records = Array.from({ length: 120 }, (_, index) =>
      index % 10 === 3 ? { externalReference: `s-${index}` } : product(`s-${index}`),
    );
    await client.begin('sums', records.length);
    const looks: boolean[] = [];
    let from = 0;
    const look = async (): Promise<void> => {
      const load = await client.load('sums');
      looks.push(sumOf(load) === load.total && load.total === load.taken && load.total >= from);
    };
    for (; from < records.length; from += 20) {
      await client.take('sums', from, records.slice(from, from + 20));
      await look();
    }
    await gondola.until(async () => {
      await look();
      return (await client.load('sums')).open === 0;
    });
    expect(countsOf(await client.load('sums'))).toEqual({ applied: 108, invalid: 12 });
    expect(looks).not.toContain(false);
  });

  it('is stored with its records while one is open, and deleted with them when all are long concluded', async () => {
    const ended = { value: product('ended', { loadId: 'ended', recordId: 'ended' }) };
    await gondola.produce(
      ended,
      { value: product('ended', { loadId: 'ended', recordId: 'ended', punctuation: 3 }) },
      { value: product('done', { loadId: 'open', recordId: 'done' }) },
      { value: product('done', { loadId: 'open', recordId: 'done', punctuation: 3 }) },
      { value: product('waiting', { loadId: 'open', recordId: 'waiting', brandExternalReference: 'none' }) },
      { value: product('new', { loadId: 'new', recordId: 'new' }) },
    );
    await until('ended', { applied: 1, invalid: 1 });
    await until('open', { waiting: 1, applied: 1, invalid: 1 });
    await until('new', { applied: 1 });
    const old = `load_id IN ('ended', 'open')`;
    await gondola.query(`UPDATE loads SET started_at = started_at - interval '91 days' WHERE ${old}`);
    await gondola.query(
      `UPDATE commands SET received_at = received_at - interval '91 days', finished_at = finished_at - interval '91 days'
       WHERE ${old}`,
    );
    await gondola.startApp();
    await gondola.until(async () => (await client.get('/api/loads/ended')).status === 404);
    const rest = async (table: string) =>
      gondola.query(`SELECT DISTINCT load_id FROM ${table} WHERE load_id IN ('ended', 'open', 'new') ORDER BY 1`);
    const stayed = [{ load_id: 'new' }, { load_id: 'open' }];
    expect(await rest('loads')).toEqual(stayed);
    expect(await rest('load_conflicts')).toEqual([{ load_id: 'open' }]);
    await gondola.until(async () => JSON.stringify(await rest('commands')) === JSON.stringify(stayed));
    expect(countsOf(await client.load('open'))).toEqual({ waiting: 1, applied: 1, invalid: 1 });
    expect(countsOf(await client.load('new'))).toEqual({ applied: 1 });
    await gondola.resultOf('ended', 2);
    await gondola.produce(ended);
    expect((await gondola.resultOf('ended', 3)).value).toMatchObject({ outcome: 'unchanged' });
  });

  it('is not deleted while one of its records is being stored', async () => {
    await gondola.produce({ value: product('held', { loadId: 'held', recordId: 'held' }) });
    await gondola.resultOf('held');
    const hold = await gondola.hold('LOCK TABLE load_conflicts IN ACCESS EXCLUSIVE MODE');
    await gondola.produce({ value: product('held', { loadId: 'held', recordId: 'held', punctuation: 4 }) });
    await gondola.until(() => hold.isWaitedFor('INSERT INTO load_conflicts'));
    const deletable = await gondola.query(`SELECT 1 FROM loads WHERE load_id = 'held' FOR UPDATE SKIP LOCKED`);
    await hold.release();
    expect(deletable).toEqual([]);
  });
});
