import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BODY } from './fake-answers.ts';
import { FakeApps, refusal } from './fake-apps.ts';
import { type Ended, run } from '../src/run.ts';
import { heldPort } from './held-port.ts';

const ENV = { LANG: 'en_US.UTF-8', GONDOLA_TIMEOUT_MS: '60000' };
const TOKEN = 'operations-token-of-the-test';
const LETTER = 'gondola.file-gateway/erp.orders.commands.v1/0/1';
const REGISTER = ['webhook', 'register', '--tenant', 'acme', '--url', 'https://g.example.com/webhooks/platform'];
const codesOf = ({ document }: { document: unknown }): string[] =>
  (document as { groups: { code: string }[] }).groups.map(({ code }) => code);
const ERASE = ['notifications', 'erase', '--tenant', 'acme', '--order', '100234'];

describe('gondola', () => {
  let apps: FakeApps;
  let folder: string;

  beforeAll(async () => {
    apps = await FakeApps.start();
    folder = await mkdtemp(join(tmpdir(), 'gondola-cli-'));
  });
  beforeEach(() => apps.reset());
  afterAll(async () => {
    await apps.stop();
    await rm(folder, { recursive: true });
  });

  /** Runs `gondola` in English with the fake apps. */
  function gondola(args: readonly string[], more: Record<string, string> = {}, progress?: string[]): Promise<Ended> {
    const shown = progress !== undefined && { live: { write: (text: string) => void progress.push(text), width: 80 } };
    return run({ args, env: { ...ENV, ...apps.env, ...more }, folder, width: null, ...shown });
  }

  async function json(
    args: readonly string[],
    more: Record<string, string> = {},
  ): Promise<{ document: unknown } & Ended> {
    const ran = await gondola([...args, '--json'], more);
    return { document: JSON.parse(ran.stdout) as unknown, ...ran };
  }

  describe('records', () => {
    it('check checks records with the texts of the apps, calls no app, and exits with 1 if one is wrong', async () => {
      const file = join(folder, 'produtos.jsonl');
      await writeFile(
        file,
        '{"externalReference":"4711","nome":"Queijo"}\n{"externalReference":"4712","title":"Queijo"}\n',
      );
      const { exit, stdout } = await gondola(['records', 'check', file]);
      expect(exit).toBe(1);
      expect(stdout).toContain('2 records: 1 valid, 0 unchanged, 0 repeated, 1 invalid, 0 unreadable.');
      expect(stdout).toContain('The field "nome" is not known.');
      expect(apps.received).toEqual([]);
    });

    it('check uses the named topic, and prints one JSON document', async () => {
      const file = join(folder, 'a.jsonl');
      await writeFile(file, '{"commandId":"c-1","command":"Ship","orderNumber":100234}\n');
      const { document, exit } = await json(['records', 'check', file, '--topic', 'erp.orders.commands.v1']);
      expect(exit).toBe(0);
      expect(document).toEqual({ file, checked: 1, outcomes: { valid: 1 }, groups: [] });
      const created = join(folder, 'b.jsonl');
      await writeFile(created, '{"externalReference":"4712"}\n');
      expect((await gondola(['records', 'check', created, '--create'])).exit).toBe(1);
    });

    it('check groups unknown units by their names, and takes those of a tenant', async () => {
      const file = join(folder, 'unidades.csv');
      const skus = ['1;1-a;CX', '2;2-a;CX', '3;3-a;PCT', '4;4-a;Kg'];
      await writeFile(file, `externalReference;sku.externalReference;sku.unitOfMeasurement\n${skus.join('\n')}\n`);
      const check = ['records', 'check', file, '--topic', 'erp.catalog.products.v1'];
      const { document } = await json(check);
      const { groups } = document as { groups: { code: string; message: string; records: number }[] };
      const unknown = groups.filter(({ code }) => code === 'UNIT_UNKNOWN');
      expect(unknown.map(({ message, records }) => [/"[^"]*"/.exec(message)?.[0], records])).toEqual([
        ['"CX"', 2],
        ['"PCT"', 1],
      ]);
      expect((await json([...check, '--unit', 'CX=Un', 'PCT=Un'])).document).toMatchObject({ outcomes: { valid: 4 } });
      const { exit, stderr } = await gondola([...check, '--unit', 'CX=caixa']);
      expect([exit, stderr]).toEqual([2, expect.stringContaining('"CX=caixa" must be a name')]);
    });

    it('check takes units, defaults, policies and keys of a tenant from its tenants file, without any secret (rule 20)', async () => {
      const file = join(folder, 'produtos.csv');
      const columns =
        'externalReference;name;title;cor;sku.externalReference;sku.ean;sku.reference;sku.unitOfMeasurement';
      await writeFile(file, `${columns}\n1;Queijo Minas;Queijo Minas;azul;1-a;SEM GTIN;1-a;CX\n`);
      const tenants = join(folder, 'tenants.yaml');
      const measures = ['weight', 'height', 'width', 'length'].flatMap((each) => [`${each}ForFreight`, `${each}Real`]);
      const tenantOf = (id: string, account: string, unit: string): string => `
  - id: ${id}
    contractAccountId: 11111111-1111-4111-8111-11111111111${account}
    platform: { baseUrl: https://p.example.com, username: u, password: { env: NOT_SET } }
    catalog:
      units: { CX: ${unit} }
      allowedExtraKeys: [cor]
      commercialPolicies: { varejo: 22222222-2222-4222-8222-222222222222 }
      defaults:
        product: { commercialPolicyId: varejo, punctuation: 1, slug: { from: nameAndReference }, shortDescription: { from: title }, longDescription: { from: title } }
        sku: { name: { from: productName }, manufacturerCode: x, arrivalDate: "2026-01-01", ${measures.map((each) => `${each}: 1`).join(', ')} }
`;
      await writeFile(tenants, `tenants:${tenantOf('acme', '0', 'Un')}${tenantOf('bairro', '1', 'Kg')}`);
      const check = ['records', 'check', file, '--create', '--tenants', tenants];
      const acme = await json([...check, '--tenant', 'acme']);
      expect(acme.document).toMatchObject({ outcomes: { valid: 1 } });
      expect(codesOf(acme)).not.toContain('FACTOR_MISSING');
      expect(codesOf(await json([...check, '--tenant', 'bairro']))).toContain('FACTOR_MISSING');
      expect(codesOf(await json([...check, '--tenant', 'acme', '--unit', 'CX=Kg']))).toContain('FACTOR_MISSING');
      for (const [args, message] of [
        [check, 'Say with --tenant which tenant'],
        [[...check, '--tenant', 'outra'], 'acme, bairro'],
        [['records', 'check', file, '--tenant', 'acme'], '--tenants, which is missing'],
        [['records', 'check', file, '--tenants', join(folder, 'none.yaml')], 'the file cannot be read (ENOENT)'],
      ] as const) {
        const { exit, stderr } = await gondola(args);
        expect([exit, stderr]).toEqual([2, expect.stringContaining(message)]);
      }
    });
  });

  describe('catalog', () => {
    it('preflight groups what the app finds in a file, over as many calls as it takes, and ends with 1 where a record is invalid', async () => {
      const file = join(folder, 'products.jsonl');
      const lines = Array.from({ length: 450 }, (_each, index) =>
        JSON.stringify({ externalReference: String(index), name: index % 100 === 7 ? 'long' : 'x' }),
      );
      await writeFile(file, `${lines.join('\n')}\n`);
      const { exit, stdout } = await gondola(['catalog', 'preflight', file, '--tenant', 'acme']);
      expect(exit).toBe(1);
      expect(stdout.split('\n')).toEqual([
        '450 records: 445 valid, 0 unchanged, 0 repeated, 5 invalid, 0 unreadable. Nothing was stored or sent.',
        'LEVEL  REASON  FIELD  RECORDS  EXAMPLES                        DETAIL',
        'error  LIMIT   name   5        7 (:8), 107 (:108), 207 (:208)  The field "name" must have at most 400 characters.',
        '',
      ]);
      const calls = apps.received.map(({ method, path, query, body }) => [
        method,
        path,
        query['tenant'],
        (body as { kind: string; records: string[] }).records.length,
      ]);
      expect(calls).toEqual([
        ['POST', '/api/preflight', 'acme', 200],
        ['POST', '/api/preflight', 'acme', 200],
        ['POST', '/api/preflight', 'acme', 50],
      ]);
    });

    it('preflight reads a table, and gives one document with counts and examples', async () => {
      const file = join(folder, 'precos.CSV');
      await writeFile(file, 'externalReference;data.price\n4711-1;39.90\n');
      const { document, exit } = await json(['catalog', 'preflight', file, '--kind', 'price']);
      expect(exit).toBe(0);
      expect(document).toEqual({ file, kind: 'price', checked: 1, outcomes: { valid: 1 }, groups: [] });
      expect(apps.received[0]?.body).toEqual({
        kind: 'price',
        records: ['{"externalReference":"4711-1","data":{"price":39.90}}'],
      });
    });

    it('a table as Excel writes it in Brazil is read with its accents, which is said, and other bytes are refused', async () => {
      const file = join(folder, 'excel.csv');
      await writeFile(file, Buffer.from('externalReference;name\n1;Pão de açúcar\n', 'latin1'));
      const records = ['{"externalReference":"1","name":"Pão de açúcar"}'];
      for (const command of [['preflight'], ['load', '--no-wait'], ['compare']]) {
        const { stderr } = await gondola(['catalog', command[0]!, file, ...command.slice(1)]);
        expect(stderr).toContain('excel.csv is not UTF-8 and was read as Windows-1252');
      }
      const sent = apps.received.map(({ path, body }) => [path, (body as { records?: unknown } | undefined)?.records]);
      expect(sent).toContainEqual(['/api/preflight', records]);
      expect(sent).toContainEqual(['/api/comparisons', records]);
      apps.reset();
      const lines = join(folder, 'excel.jsonl');
      await writeFile(lines, Buffer.from('{"externalReference":"1"}\n{"name":"Pão"}\n', 'latin1'));
      const { exit, stderr } = await gondola(['catalog', 'load', lines]);
      expect([exit, stderr]).toEqual([2, expect.stringContaining('line 2 contains the byte E3')]);
      expect(apps.received).toEqual([]);
    });

    it.each([['preflight'], ['load'], ['compare']])(
      '%s refuses a table whose cells cannot be taken, with the line of each, and calls no app',
      async (command) => {
        const file = join(folder, 'precos.csv');
        const rows = ['4711-1;cd-1;6,99', '4711-2;cd-1;R$ 5.00', '4711-3;cd-1;5.00', '4711-3;cd-1;6.00'];
        await writeFile(file, `externalReference;warehouse;data.price\n${rows.join('\n')}\n`);
        const { exit, stderr } = await gondola(['catalog', command, file]);
        expect(exit).toBe(2);
        expect(stderr).toContain('line 2, data.price: "6,99" is no number');
        expect(stderr).toContain('line 3, data.price: "R$ 5.00" has a currency');
        expect(stderr).toContain('line 5, data.price: "6.00" contradicts "5.00" in line 4 of the same record.');
        // A control character is shown as one that is none.
        expect(stderr).not.toContain('\uFFFD');
        expect(apps.received).toEqual([]);
      },
    );

    it('preflight explains why a file cannot be read, and calls no app', async () => {
      const { exit, stderr } = await gondola(['catalog', 'preflight', join(folder, 'none.jsonl')]);
      expect([exit, stderr]).toEqual([2, expect.stringContaining('none.jsonl could not be read (ENOENT)')]);
      expect(apps.received).toEqual([]);
    });

    it.each([
      ['records', 'check'],
      ['catalog', 'preflight'],
      ['catalog', 'compare'],
    ])('%s %s of a file without records is wrong usage, and calls no app', async (...command) => {
      for (const [name, content] of Object.entries({ 'empty.jsonl': '\n', 'empty.csv': 'externalReference;name\n' })) {
        await writeFile(join(folder, name), content);
        const { exit, stderr } = await gondola([...command, join(folder, name)]);
        expect([exit, stderr]).toEqual([2, expect.stringContaining('has no records')]);
      }
      expect(apps.received).toEqual([]);
    });

    it('compare covers all that Gondola knows, counts everything and shows differences; it exits with 1 if there is one', async () => {
      const lines: string[] = [];
      const { exit, stdout, stderr } = await gondola(['catalog', 'compare', '--tenant', 'acme'], {}, lines);
      expect([exit, stderr]).toEqual([1, '']);
      expect(stdout.split('\n')).toEqual([
        '6 products: 5 as they should be, 1 different, 0 not in the shop, 0 that the platform does not answer for, 0 unreadable.',
        '1 SKUs differ between the shop and what was published; 0 products were adopted.',
        'REFERENCE  STATE    FIELD  EXPECTED  IN SHOP',
        'other      differs  name   Queijo    Outro',
        '',
      ]);
      expect(apps.received.map(({ path, query, body }) => [path, query['tenant'], body])).toEqual([
        ['/api/comparisons', 'acme', { adopt: false }],
        ['/api/comparisons', 'acme', { after: '4', adopt: false }],
      ]);
      expect(lines.map((line) => line.split('] ')[1])).toEqual(['66 % (4/6)', '100 % (6/6)', undefined]);
    });

    it('compare reads the records of a file in as many calls as needed, continues behind a given record, and adopts', async () => {
      const file = join(folder, 'shop.jsonl');
      const records = ['a', 'b', 'c', 'd', 'e', 'other', 'f'].map((externalReference) => ({ externalReference }));
      await writeFile(file, records.map((record) => JSON.stringify(record)).join('\n'));
      const { document, exit } = await json(['catalog', 'compare', file, '--adopt', '--after', 'a']);
      expect(exit).toBe(1);
      expect(document).toMatchObject({ compared: 6, same: 5, differs: 1, skusToPublish: 1, adopted: 1 });
      expect(document).toMatchObject({ entries: [{ externalReference: 'other' }] });
      const sent = apps.received.map(({ body }) => (body as { records: string[] }).records.length);
      expect(sent).toEqual([6, 2]);
      const numbers = join(folder, 'numbers.jsonl');
      await writeFile(numbers, '{"externalReference":4711}\n{"externalReference":4712}');
      const behind = await json(['catalog', 'compare', numbers, '--after', '4711']);
      expect(behind).toMatchObject({ exit: 0, document: { compared: 1 } });
      const unknown = await gondola(['catalog', 'compare', file, '--after', 'z']);
      expect([unknown.exit, unknown.stderr]).toEqual([2, expect.stringContaining('is about z')]);
    });

    it('compare waits while the platform is unreachable, and in the end prints how to continue', async () => {
      const stopped = { cause: 'unreachable', retryAfterMs: 1 };
      const page = { products: [], next: null, remaining: 2, stopped };
      apps.answer = ({ body }) =>
        (body as { after?: string }).after === '4' ? { status: 200, body: page } : undefined;
      const { exit, stderr } = await gondola(['catalog', 'compare']);
      expect(exit).toBe(1);
      expect(stderr).toContain('away (unreachable); 4 products were compared');
      expect(stderr).toContain('--after 4');
      apps.answer = ({ body }) =>
        (body as { after?: string }).after === '4' ? refusal(503, 'UNAVAILABLE', 'x') : undefined;
      expect((await gondola(['catalog', 'compare'])).stderr).toContain('--after 4');
    });

    it('load hands a file over from where it stopped, waits for its end, and ends with 1 where a record did not enter', async () => {
      const file = join(folder, 'load.jsonl');
      const lines = Array.from({ length: 450 }, (_each, index) =>
        index === 333 ? 'bad' : `{"externalReference":"${index}"}`,
      );
      await writeFile(file, `\n${lines.join('\n')}\n`);
      const shown: string[] = [];
      const { exit, stdout, stderr } = await gondola(['catalog', 'load', file, '--tenant', 'acme'], {}, shown);
      expect([exit, stderr]).toEqual([1, expect.stringContaining('goes on with load first')]);
      const [begun, first, , second] = apps.received.map(({ path, query, body }) => ({
        path,
        query,
        body: body as Record<string, unknown>,
      }));
      expect(begun).toMatchObject({ path: '/api/loads', query: { tenant: 'acme' } });
      expect(begun!.body).toEqual({ kind: 'product', records: 450, digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
      expect([first!, second!].map((call) => [call.path, call.body['from']])).toEqual([
        ['/api/loads/first/records', 200],
        ['/api/loads/first/records', 400],
      ]);
      expect(second!.body['records']).toEqual(lines.slice(400));
      expect(stdout).toMatch(/applied +448\n/);
      expect(stdout).toMatch(/KIND +REFERENCE +OUTCOME +COMMAND\nproduct +4711 +refused +r-1\n/);
      expect(stdout).toMatch(/LINE +REASON\n335 +NOT_JSON\n/);
      expect(shown.join('')).toContain('] 100 % first');
    });

    it('load knows the same records by their digest, passes on a given id, and need not wait', async () => {
      const [one, other] = [join(folder, 'one.jsonl'), join(folder, 'other.jsonl')];
      await writeFile(one, '{"externalReference":"1"}\n');
      await writeFile(other, '\uFEFF{"externalReference":"1"}');
      for (const file of [one, other]) {
        const { exit, stderr } = await gondola(['catalog', 'load', file, '--no-wait']);
        expect([exit, stderr]).toEqual([0, expect.stringContaining('continues by itself')]);
      }
      await gondola(['catalog', 'load', one, '--load-id', 'mine', '--kind', 'brand', '--no-wait']);
      const begun = apps.received.filter(({ path }) => path === '/api/loads').map(({ body }) => body);
      expect(begun[0]).toEqual(begun[1]);
      expect(begun[2]).toMatchObject({ loadId: 'mine', kind: 'brand' });
    });

    it('load continues behind a part that another process has uploaded', async () => {
      const file = join(folder, 'both.jsonl');
      await writeFile(
        file,
        Array.from({ length: 450 }, (_each, index) => `{"externalReference":"${index}"}`).join('\n'),
      );
      let isFirst = true;
      apps.answer = ({ method, path }) => {
        // The state after the other process's page.
        const counts = { queued: 400 };
        if (method === 'GET')
          return { status: 200, body: { loadId: 'first', taken: 400, total: 400, open: 50, counts } };
        if (!path.endsWith('/records') || !isFirst) return undefined;
        isFirst = false;
        return refusal(409, 'NOT_THE_NEXT', 'x');
      };
      await gondola(['catalog', 'load', file, '--no-wait']);
      const calls = apps.received
        .filter(({ method }) => method === 'POST')
        .map(({ body }) => Reflect.get(body!, 'from'));
      expect(calls).toEqual([undefined, 200, 400]);
    });

    it('load says that nothing was sent of records whose recordId came before', async () => {
      const file = join(folder, 'repeated.jsonl');
      await writeFile(file, '{"externalReference":"1","recordId":"r-1"}');
      apps.answer = ({ method, path }) =>
        method === 'GET' && path.startsWith('/api/loads/')
          ? { status: 200, body: { loadId: 'first', taken: 1, total: 1, open: 0, counts: { repeated: 1 } } }
          : undefined;
      const { exit, stderr } = await gondola(['catalog', 'load', file]);
      expect([exit, stderr]).toEqual([0, expect.stringContaining('1 records were not sent')]);
    });

    it('load of a name that ended shows the refusal, and does not advise the same command again', async () => {
      const file = join(folder, 'ended.jsonl');
      await writeFile(file, '{"externalReference":"1"}');
      apps.answer = () => refusal(409, 'LOAD_ENDED', 'It has ended');
      const { exit, stderr } = await gondola(['catalog', 'load', file, '--load-id', 'first']);
      expect([exit, stderr]).toEqual([1, expect.stringContaining('It has ended')]);
      expect(stderr).not.toContain('continues where it stopped');
    });

    it('load prints in one sentence what is wrong, and that the same command continues the load', async () => {
      const file = join(folder, 'wrong.jsonl');
      await writeFile(file, '\n');
      expect(await gondola(['catalog', 'load', file])).toMatchObject({
        exit: 2,
        stderr: expect.stringContaining('no records'),
      });
      await writeFile(file, `{"externalReference":"1"}\n{"externalReference":"${'x'.repeat(1_000_000)}"}`);
      const large = await gondola(['catalog', 'load', file]);
      expect([large.exit, large.stderr]).toEqual([2, expect.stringContaining('line 2')]);
      expect(apps.received).toEqual([]);
      await writeFile(file, '{"externalReference":"1"}\n'.repeat(201));
      apps.answer = ({ path }) => (path.endsWith('/records') ? refusal(503, 'UNAVAILABLE', 'Not now') : undefined);
      const away = await gondola(['catalog', 'load', file]);
      expect([away.exit, away.stderr]).toEqual([3, expect.stringMatching(/Not now[\s\S]*continues where it stopped/)]);
    });

    it('loads lists loads, and shows one', async () => {
      const { stdout } = await gondola(['catalog', 'loads', '--tenant', 'acme']);
      expect(stdout).toMatch(/^LOAD +TENANT +BEGAN +RECORDS +OPEN +PER MINUTE +ESTIMATED END\nfirst +acme /);
      const { exit, document } = await json(['catalog', 'loads', 'first']);
      expect([exit, document]).toEqual([0, expect.objectContaining({ loadId: 'first', open: 0 })]);
    });

    it('resend asks for one thing, and waits for its end', async () => {
      expect((await gondola(['catalog', 'resend', '--category', 'frios', '--tenant', 'acme'])).exit).toBe(1);
      expect(apps.received.map(({ method, path, body }) => [method, path, body])).toEqual([
        ['POST', '/api/resends', { category: 'frios' }],
        ['GET', '/api/loads/resend-1', undefined],
      ]);
      const { exit, stderr } = await gondola(['catalog', 'resend', '--everything', '--no-wait']);
      expect([exit, stderr]).toEqual([0, expect.stringContaining('catalog loads resend-1')]);
    });

    it('explain shows the first missing thing and who must act, in the language of the command line', async () => {
      const { stdout } = await gondola(['catalog', 'explain', 'a/b', '--tenant', 'acme']);
      expect(stdout.split('\n').slice(0, 3)).toEqual([
        'No price was sent.',
        'STEP   STATE    WHO ACTS  DETAIL',
        'price  missing  erp       No price was sent.',
      ]);
      expect(apps.received).toMatchObject([
        { path: '/api/products/a/b/explanation', query: { tenant: 'acme', language: 'en' } },
      ]);
    });
  });

  describe('notifications', () => {
    it('are listed as a table, and the filters have the names of the API', async () => {
      const filters = ['--tenant', 'acme', '--order', '100234', '--operation', 'o 1&2', '--event', 'Order_Updated'];
      const more = ['--entity', 'Order', '--state', 'sent', '--limit', '2', '--before', '100'];
      const { exit, stdout, stderr } = await gondola(['notifications', 'list', ...filters, ...more]);
      expect(exit).toBe(0);
      expect(stdout.split('\n').slice(0, 2)).toEqual([
        'ID  RECEIVED              TENANT  EVENT          ENTITY  STATE  BYTES  SUBJECT',
        '99  2026-11-20 13:15:02Z  acme    Order_Updated  Order   sent   6000   order/100234',
      ]);
      expect(stderr).toBe('There is more: use --limit, or --before 98 to continue.\n');
      expect(apps.received).toMatchObject([
        {
          method: 'GET',
          path: '/api/notifications',
          query: {
            tenant: 'acme',
            orderNumber: '100234',
            operationId: 'o 1&2',
            eventType: 'Order_Updated',
            entity: 'Order',
            state: 'sent',
            limit: '2',
            before: '100',
          },
        },
      ]);
    });

    it('are followed over the pages until the limit is reached, or none is left', async () => {
      const { document } = await json(['notifications', 'list', '--limit', '401']);
      const { entries, next } = document as { entries: { id: string }[]; next: string | null };
      expect(entries.map(({ id }) => id)).toEqual(Array.from({ length: 401 }, (_each, index) => String(450 - index)));
      expect(next).toBe('50');
      expect(apps.received.map(({ query }) => query)).toEqual([
        { limit: '200' },
        { limit: '200', before: '251' },
        { limit: '1', before: '51' },
      ]);
      const all = await json(['notifications', 'list', '--limit', '10000']);
      expect(all.document).toMatchObject({ entries: { length: 450 }, next: null });
    });

    it('are shown without content unless it is asked for, and then it is said that it may be personal', async () => {
      const without = await gondola(['notifications', 'show', '17']);
      expect(without).toMatchObject({ exit: 0, stderr: 'The content is not shown without --body.\n' });
      expect(without.stdout).not.toContain('Cliente');
      expect(apps.received[0]?.query).toEqual({});
      const shown = await gondola(['notifications', 'show', '17', '--body']);
      expect(shown.stdout).toContain(BODY);
      expect(shown.stderr).toMatch(/may hold personal data/);
      const { document, stderr } = await json(['notifications', 'quarantine', '17', '--body']);
      expect(Buffer.from((document as { bodyBase64: string }).bodyBase64, 'base64').toString()).toBe(BODY);
      expect(stderr).toMatch(/may hold personal data/);
    });

    it('in quarantine are listed, read again and discarded', async () => {
      const { stdout } = await gondola(['notifications', 'quarantine', '--tenant', 'acme', '--state', 'open']);
      expect(stdout).toMatch(/^17 .* acme +open +NOT_JSON/m);
      const stored = await json(['notifications', 'reprocess', '17']);
      expect(stored).toMatchObject({ exit: 0, document: { id: '17', outcome: 'stored' } });
      const still = await gondola(['notifications', 'reprocess', '16']);
      expect(still).toMatchObject({ exit: 1, stdout: '', stderr: 'Entry 16 stays in quarantine: NOT_JSON.\n' });
      const discarded = await gondola(['notifications', 'discard', '17', '--note', 'um teste da agência']);
      expect(discarded).toMatchObject({ exit: 0, stdout: 'Entry 17 was discarded.\n' });
      expect(apps.received.at(-1)).toMatchObject({
        method: 'POST',
        path: '/api/quarantine/17/discard',
        body: { note: 'um teste da agência' },
      });
    });

    it('in quarantine are read again by filter only when that is confirmed, page by page', async () => {
      const filter = ['notifications', 'reprocess', '--tenant', 'acme'];
      const dry = await json(filter);
      expect(dry).toMatchObject({ exit: 0, document: { confirmed: false, open: 2 } });
      expect(apps.received.filter(({ method }) => method !== 'GET')).toEqual([]);
      const { exit, stdout } = await gondola([...filter, '--confirm']);
      expect(exit).toBe(1);
      expect(stdout).toContain('1 entries became notifications, 0 were stored already, 1 stay in quarantine.');
      expect(stdout).toMatch(/^16 +NOT_JSON +Unexpected end$/m);
      expect(apps.received.at(-1)).toMatchObject({ body: { tenant: 'acme', after: '16', confirm: true } });
    });

    it('of an order are erased only when that is confirmed', async () => {
      const dry = await json(ERASE);
      expect(dry).toMatchObject({ exit: 0, document: { confirmed: false, notifications: 450 } });
      expect(apps.received.filter(({ method }) => method !== 'GET')).toEqual([]);
      const done = await json([...ERASE, '--confirm']);
      expect(done).toMatchObject({ exit: 0, document: { confirmed: true } });
      expect(apps.received.at(-1)).toMatchObject({
        method: 'POST',
        path: '/api/erasures',
        body: { tenant: 'acme', orderNumber: 100234, confirm: true },
      });
    });
  });

  describe('orders', () => {
    it('are listed by status and age, as a table', async () => {
      const { stdout, stderr, exit } = await gondola(
        'orders list --tenant acme --status 400 --older-than 2h --attention --limit 1'.split(' '),
      );
      expect(exit).toBe(0);
      expect(stdout.split('\n')[1]).toMatch(
        /^60 +acme +100060 +400 ORDER_BEING_PREPARED +2026-11-20 13:15:02Z +2 +NOT_PREPARED:erp$/,
      );
      expect(stderr).toBe('There is more: use --limit, or --before 60 to continue.\n');
      const query = { tenant: 'acme', status: '400', olderThanMs: '7200000', attention: 'true', limit: '1' };
      expect(apps.received).toMatchObject([{ app: 'order-command-handler', path: '/api/orders', query }]);
      const { document } = await json(['orders', 'list']);
      expect(document).toMatchObject({ entries: { length: 50 }, next: '11' });
      expect(await gondola(['orders', 'list', '--older-than', 'ages'])).toMatchObject({ exit: 2 });
      expect(await gondola(['orders', 'list', '--status', 'SHIPPED'])).toMatchObject({ exit: 2 });
    });

    it('are shown with their course, and with personal data only where that is asked for', async () => {
      const { stdout, stderr } = await gondola(['orders', 'show', '100060']);
      expect(stdout).toMatch(/^people.customer.firstName +C\*\*\*$/m);
      expect(stdout).toMatch(/^2026-11-20 13:15:02Z +attempt +commandId=c\/88 step=status answer=refused:422$/m);
      expect(stdout).toMatch(/^c\/88 +Ship .* earlier-command:c-87$/m);
      expect(stderr).toBe('Personal data is shown in part only; use --reveal, which is recorded.\n');
      expect(apps.received[0]).toMatchObject({ path: '/api/orders/100060', query: {} });
      const revealed = await gondola(['orders', 'show', '100060', '--tenant', 'acme', '--reveal']);
      expect(revealed.stdout).toContain('Cliente Teste 01');
      expect(revealed.stderr).toMatch(/it is recorded that they were shown/);
      expect(apps.received[1]?.query).toEqual({ tenant: 'acme', reveal: 'true' });
      expect(await gondola(['orders', 'show', 'abc'])).toMatchObject({
        exit: 2,
        stderr: expect.stringMatching(/<number>/),
      });
    });

    it('are shown as the core service answers them, with a warning of their personal data', async () => {
      const { stdout, stderr, exit } = await gondola(['orders', 'show', '100060', '--tenant', 'acme', '--details']);
      expect({ stdout: stdout.trim(), exit }).toEqual({ stdout: '{ "id": 1.0 }', exit: 0 });
      expect(stderr).toMatch(/it is recorded that they were shown/);
      expect(apps.received).toMatchObject([{ path: '/api/orders/100060/details', query: { tenant: 'acme' } }]);
    });

    it.each(['refresh', 'release'])('have a %s, asked for as the ERP would', async (deed) => {
      const asked = await gondola(['orders', deed, '100060', '--tenant', 'acme']);
      expect(asked).toMatchObject({ exit: 0, stdout: expect.stringMatching(`100060.*${deed}-1`) });
      expect(apps.received).toMatchObject([
        { method: 'POST', path: `/api/orders/100060/${deed}`, body: { tenant: 'acme' } },
      ]);
    });

    it('that were lost have the numbers of a search that the platform did not know', async () => {
      const number = { id: '300004', orderNumber: '300004', outcome: 'given-up', lookups: 2, concludedAt: null };
      apps.answer = () => ({ status: 200, body: { entries: [number], next: null } });
      const shown = await gondola(['orders', 'recoveries', '7', '--given-up', '--limit', '10']);
      expect(shown).toMatchObject({ exit: 0, stdout: expect.stringMatching(/^300004 +2/m) });
      const query = { outcome: 'given-up', limit: '10' };
      expect(apps.received).toMatchObject([{ path: '/api/recoveries/7/numbers', query }]);
    });

    it('have events that are published again; what the app finds wrong counts as wrong usage', async () => {
      const replay = { id: '3', topic: 'erp.orders.events.v1', since: '2026-11-26T08:00:00.000Z', startedAt: 'now' };
      apps.answer = () => ({ status: 202, body: replay });
      const asked = ['replay', '--topic', 'erp.orders.events', '--since', '2026-11-26T08:00:00Z'];
      expect(await gondola(asked)).toMatchObject({
        exit: 0,
        stdout: expect.stringMatching(
          /^Replay 3 of erp.orders.events.v1.*gondola replay show 3 --app order-command-handler/,
        ),
      });
      apps.answer = () => refusal(400, 'BAD_REQUEST', 'since is in the future');
      expect(await gondola(asked)).toMatchObject({
        exit: 2,
        stderr: expect.stringContaining('since is in the future'),
      });
      apps.answer = () => refusal(409, 'REPLAY_REFUSED', '10 replays run already');
      expect(await gondola(asked)).toMatchObject({ exit: 1 });
    });

    describe('of a month', () => {
      const sums = { shopOrders: 2, shopCents: 2491, publishedOrders: 2, publishedCents: 2490, invoicedOrders: 0 };
      const running = { id: '7', tenant: 'acme', month: '2026-10', state: 'running', numbers: 2, open: 1, sums };
      const finished = { ...running, state: 'finished', open: 0, kinds: [{ kind: 'total', differences: 1 }] };
      const total = { kind: 'total', about: null, shop: '12.46', published: '12.45', erp: null };
      const order = { id: '101', orderNumber: '101', differences: [total], apartCents: 1, invoiceApartCents: 0 };

      const audited = (differing: readonly object[]): void => {
        apps.answer = ({ method, path }) => {
          if (path.endsWith('/differences')) return { status: 200, body: { entries: differing, next: null } };
          return method === 'POST' ? { status: 202, body: running } : { status: 200, body: finished };
        };
      };

      it('are audited to the end: exit code 1 and both figures of what differs, 0 if nothing does', async () => {
        audited([order]);
        const differs = await gondola(['audit', '--month', '2026-10', '--shop', 'acme']);
        expect(differs).toMatchObject({ exit: 1, stdout: expect.stringMatching(/^101 +total +- +12.46 +12.45 +-/m) });
        expect(differs.stdout).toMatch(/^shopCents +2491/m);
        expect(apps.received[0]).toMatchObject({ method: 'POST', path: '/api/audits' });
        const json = await gondola(['audit', '--month', '2026-10', '--json']);
        expect(JSON.parse(json.stdout)).toMatchObject({ state: 'finished', entries: [order] });
        audited([]);
        expect((await gondola(['audit', '--month', '2026-10'])).exit).toBe(0);
      });

      it('are shown while they are audited, and as CSV', async () => {
        audited([order]);
        const begun = await gondola(['audit', '--month', '2026-10', '--no-wait']);
        expect(begun).toMatchObject({ exit: 0, stderr: expect.stringContaining('gondola audit show 7') });
        const { stdout } = await gondola(['audit', 'show', '7', '--csv']);
        expect(stdout).toBe('\uFEFForderNumber;kind;about;shop;published;erp\n101;total;;12.46;12.45;\n');
      });

      it('are not audited before the month is over, or of a shop that is not there: exit code 2', async () => {
        const error = { code: 'BAD_REQUEST', message: 'month 2026-11 is not over in the zone of the platform' };
        apps.answer = () => ({ status: 400, body: { error } });
        const refused = await gondola(['audit', '--month', '2026-11']);
        expect(refused).toMatchObject({ exit: 2, stderr: expect.stringContaining(error.message) });
      });
    });

    it('have commands, which are shown, and withdrawn as the ERP would', async () => {
      const shown = await gondola(['commands', 'show', 'c/88', '--tenant', 'acme']);
      expect(shown.stdout).toMatch(/^command +Ship$/m);
      const asked = await gondola(['commands', 'withdraw', 'c/88', '--tenant', 'acme']);
      expect(asked).toMatchObject({ exit: 0, stdout: expect.stringMatching(/c\/88.*withdraw-1/) });
      expect(apps.received).toMatchObject([
        { method: 'GET', path: '/api/commands/c/88', query: { tenant: 'acme' } },
        { method: 'POST', path: '/api/commands/c/88/withdraw', body: { tenant: 'acme' } },
      ]);
    });
  });

  describe('erasures', () => {
    const ERASE_ORDER = ['erase', 'order', '100060', '--tenant', 'acme'];
    const ERASE_USER = ['erase', 'user', '--tenant', 'acme', '--email', 'cliente.teste01@example.com'];

    it('of an order reach every app, each with its record, and list what remains and where copies are', async () => {
      const dry = await json(ERASE_ORDER);
      expect(dry).toMatchObject({ exit: 0, document: { confirmed: false, notifications: 450, facts: 0 } });
      expect(changesOf(apps)).toEqual([]);
      const done = await gondola([...ERASE_ORDER, '--confirm']);
      expect(done).toMatchObject({ exit: 0, stderr: '' });
      expect(changesOf(apps).map(({ app }) => app)).toEqual([
        'webhook-ingest',
        'file-gateway',
        'catalog-publisher',
        'order-command-handler',
      ]);
      for (const { body } of changesOf(apps))
        expect(body).toEqual({ tenant: 'acme', orderNumber: 100060, confirm: true });
      expect(done.stdout).toMatch(/^100060 +webhook-ingest +notifications=450 quarantined=1 +-$/m);
      expect(done.stdout).toMatch(/^100060 +order-command-handler +deadLetters=1 +invoices=1 \(fiscal\)$/m);
      expect(done.stdout).toMatch(/^dead-letters.v1 +2026-12-27 13:15:02Z$/m);
    });

    it('that one app does not do are done by the others, and said to be incomplete', async () => {
      apps.answer = ({ app }) => (app === 'file-gateway' ? refusal(503, 'UNAVAILABLE', 'Away') : undefined);
      const { document, exit, stderr } = await json([...ERASE_ORDER, '--confirm']);
      expect(document).toMatchObject({
        erasures: { length: 3 },
        failed: [{ app: 'file-gateway', orderNumber: '100060' }],
      });
      expect(exit).toBe(3);
      expect(stderr).toMatch(/The erasure is incomplete: file-gateway did not erase/);
    });

    it('of a shopper cover all their orders, and no address contains the e-mail', async () => {
      const dry = await json(ERASE_USER);
      expect(dry).toMatchObject({ exit: 0, document: { confirmed: false, orderNumbers: ['100059', '100060'] } });
      const done = await json([...ERASE_USER, '--confirm']);
      expect(done).toMatchObject({ exit: 0, document: { erasures: { length: 8 } } });
      expect(apps.received).toContainEqual(
        expect.objectContaining({
          app: 'webhook-ingest',
          path: '/api/erasures/users',
          body: { tenant: 'acme', email: 'cliente.teste01@example.com', confirm: true },
        }),
      );
      for (const { path, query } of apps.received) expect(JSON.stringify([path, query])).not.toContain('cliente');
      expect(await gondola([...ERASE_USER.slice(0, 5), 'cliente'])).toMatchObject({ exit: 2 });
      const oneAddress = await gondola([...ERASE_ORDER, '--api-url', 'http://127.0.0.1:9']);
      expect(oneAddress).toMatchObject({ exit: 2, stderr: expect.stringMatching(/calls several/) });
    });
  });

  describe('the erasure of a shopper', () => {
    it('goes on with their orders when an app does not erase what it was notified of them', async () => {
      apps.answer = ({ path }) => (path === '/api/erasures/users' ? refusal(503, 'DATABASE_AWAY', 'Away') : undefined);
      const user = ['erase', 'user', '--tenant', 'acme', '--email', 'cliente.teste01@example.com', '--confirm'];
      const { document, exit, stderr } = await json(user);
      expect(document).toMatchObject({ user: null, erasures: { length: 8 }, failed: [] });
      expect(exit).toBe(3);
      expect(stderr).toMatch(/The erasure is incomplete: webhook-ingest did not erase/);
    });
  });

  describe('the webhook', () => {
    it('is registered only when that is confirmed, and what the app would do is shown before (rule 37)', async () => {
      const dry = await gondola(REGISTER);
      expect(dry).toMatchObject({ exit: 0, stdout: expect.stringMatching(/never be changed.*--confirm/) });
      expect(apps.received[0]?.body).toEqual({ tenant: 'acme', url: 'https://g.example.com/webhooks/platform' });
      const done = await gondola([...REGISTER, '--confirm']);
      expect(done).toMatchObject({ exit: 0, stdout: expect.stringMatching(/The webhook is registered/) });
      expect(apps.received[1]?.body).toMatchObject({ confirm: true });
    });

    it('is shown as the app answers it', async () => {
      const { document } = await json(['webhook', 'status', '--tenant', 'acme']);
      expect(document).toMatchObject({ registrations: [{ tenant: 'acme', outcome: 'none' }] });
      expect(apps.received[0]).toMatchObject({
        method: 'GET',
        path: '/api/webhook-registration',
        query: { tenant: 'acme' },
      });
    });
  });

  describe('parked records', () => {
    it('of all apps are listed, with reason, size, topic and entity', async () => {
      const { document, exit } = await json(['parked', 'list', '--reason', 'MESSAGE_TOO_LARGE']);
      expect([exit, (document as { parked: unknown[] }).parked.length]).toEqual([0, 4]);
      const { stdout } = await gondola(['parked', 'list', '--app', 'webhook-ingest']);
      expect(stdout).toMatch(
        /webhook-ingest +acme +MESSAGE_TOO_LARGE +2000000 +erp\.orders\.events\.v1 +9 +order\/100234/,
      );
    });

    it('are released one at a time, or all that match, which is only counted without --confirm', async () => {
      const app = ['--app', 'order-command-handler'];
      const one = await gondola(['parked', 'release', '9', ...app]);
      expect(one.stdout).toContain('Released by order-command-handler: 1.');
      expect((await gondola(['parked', 'release', '8', ...app])).exit).toBe(1);
      const before = apps.received.length;
      const counted = await gondola(['parked', 'release', ...app, '--reason', 'INVALID_RECORD']);
      expect(counted.stdout).toMatch(/acme +INVALID_RECORD +erp\.orders\.events\.v1 +3/);
      expect(counted.stdout).not.toContain('MESSAGE_TOO_LARGE');
      expect(apps.received.slice(before).filter(({ method }) => method !== 'GET')).toEqual([]);
      const all = await json(['parked', 'release', ...app, '--confirm']);
      expect(all.document).toEqual({ app: 'order-command-handler', confirmed: true, released: 10_003 });
    });
  });

  describe('dead letters', () => {
    it('of every app that consumes are in one list, newest first', async () => {
      const { document, exit } = await json(['dead-letters', 'list', '--limit', '4']);
      expect(exit).toBe(0);
      const { deadLetters } = document as { deadLetters: { app: string; offset: string }[] };
      expect(deadLetters.map(({ app, offset }) => `${app} ${offset}`)).toEqual([
        'file-gateway 1',
        'order-command-handler 1',
        'catalog-publisher 1',
        'file-gateway 0',
      ]);
      expect(document).toMatchObject({ more: true, failed: [] });
    });

    it('of the other apps are shown if one app does not answer, which the exit code shows', async () => {
      apps.answer = ({ app }) => (app === 'catalog-publisher' ? refusal(503, 'UNAVAILABLE', 'Not now') : undefined);
      const { exit, document, stderr } = await json(['dead-letters', 'list']);
      expect(exit).toBe(3);
      expect(document).toMatchObject({
        deadLetters: { length: 4 },
        failed: [{ app: 'catalog-publisher', code: 'UNAVAILABLE' }],
      });
      expect(stderr).toMatch(/incomplete: catalog-publisher/);
    });

    it('are shown and sent back by their id, slashes and all, to the app that has them', async () => {
      const shown = await gondola(['dead-letters', 'show', LETTER, '--app', 'file-gateway']);
      expect(shown.exit).toBe(0);
      expect(shown.stdout).not.toContain('Cliente');
      const whole = await gondola(['dead-letters', 'show', LETTER, '--app', 'file-gateway', '--body']);
      expect(whole.stdout).toContain(BODY);
      const redriven = await gondola(['dead-letters', 'redrive', LETTER, '--app', 'file-gateway']);
      expect(redriven).toMatchObject({
        exit: 0,
        stdout: 'The record was published again, only for file-gateway (time 1).\n',
      });
      const call = { app: 'file-gateway', method: 'POST', path: `/api/dead-letters/${LETTER}/redrive` };
      expect(apps.received.at(-1)).toMatchObject(call);
    });
  });

  describe('the mirror', () => {
    it('is shown with what waits and why, paused and resumed', async () => {
      const { exit, stdout } = await gondola(['mirror', 'show', '--tenant', 'acme']);
      expect(exit).toBe(0);
      expect(stdout).toMatch(/^acme +https:\/\/old\.example\.com +12 +2026-11-20 13:10:00Z +- +.* +TIMEOUT$/m);
      const paused = await gondola(['mirror', 'pause', '--tenant', 'acme']);
      expect(paused).toMatchObject({ exit: 0, stdout: 'The receiver of acme is paused; 12 notifications wait.\n' });
      const call = { app: 'webhook-ingest', method: 'POST', path: '/api/mirror/pause', body: { tenant: 'acme' } };
      expect(apps.received.at(-1)).toMatchObject(call);
      expect((await gondola(['mirror', 'resume', '--tenant', 'acme'])).exit).toBe(0);
      expect(apps.received.at(-1)).toMatchObject({ ...call, path: '/api/mirror/resume' });
    });
  });

  describe('pauses', () => {
    it('are listed of all apps, with route, cause, times and replica, and ended in one', async () => {
      const { exit, stdout } = await gondola(['pauses', 'list', '--tenant', 'acme']);
      expect(exit).toBe(0);
      expect(stdout).toMatch(/^order-command-handler +acme +all calls +throttled +2026-11-20 13:15:02Z +2026-11-21 /m);
      expect(apps.received.filter(({ path }) => path === '/api/pauses').length).toBeGreaterThanOrEqual(3);
      const ended = await gondola(['pauses', 'end', '--app', 'order-command-handler', '--tenant', 'acme']);
      expect(ended).toMatchObject({
        exit: 0,
        stdout: expect.stringContaining('1 pauses ended in order-command-handler'),
      });
      const call = { method: 'POST', path: '/api/pauses/end', body: { tenant: 'acme' } };
      expect(apps.received.at(-1)).toMatchObject(call);
      expect((await gondola(['pauses', 'end', '--app', 'file-gateway', '--tenant', 'acme'])).exit).toBe(1);
    });
  });

  describe('sessions of the console', () => {
    it('are listed with operator, way, times and address, and ended', async () => {
      const { exit, stdout } = await gondola(['console', 'sessions', 'list']);
      expect(exit).toBe(0);
      expect(stdout).toMatch(/^17 +maria +password +2026-11-20 13:15:02Z +2026-11-20 13:20:02Z +203\.0\.113\.7 +-$/m);
      expect(await json(['console', 'sessions', 'list'])).toMatchObject({ document: { entries: [{ id: '17' }] } });
      const ended = await gondola(['console', 'sessions', 'end', '17', '--all']);
      expect(ended).toMatchObject({ exit: 0, stdout: 'Sessions ended: 1.\n' });
      const call = { app: 'console', method: 'POST', path: '/api/sessions/17/end', body: { all: true } };
      expect(apps.received.at(-1)).toMatchObject(call);
      expect((await gondola(['console', 'sessions', 'end', '99'])).exit).toBe(1);
    });
  });

  describe('stuck orders and products', () => {
    it('are listed of all apps, with their failures, the next try and their open commands', async () => {
      const { exit, stdout } = await gondola(['stuck', 'list', '--tenant', 'acme']);
      expect(exit).toBe(0);
      expect(stdout).toMatch(/^order-command-handler +acme +order +100234 +12 +2026-11-20 13:20:02Z +c-88, c-89$/m);
      const asked = apps.received.filter(({ path }) => path === '/api/today');
      expect(asked.map(({ app }) => app)).toEqual(
        expect.arrayContaining(['catalog-publisher', 'file-gateway', 'order-command-handler']),
      );
      expect(asked.every(({ query }) => query['tenant'] === 'acme')).toBe(true);
      const { document } = await json(['stuck', 'list', '--app', 'order-command-handler']);
      expect(document).toMatchObject({ stuck: [{ identity: '100234', commandIds: ['c-88', 'c-89'] }], failed: [] });
      expect((await gondola(['stuck', 'list', '--app', 'file-gateway'])).exit).toBe(0);
    });
  });

  describe('shops in shadow', () => {
    it('show what their comparison found, by app and kind', async () => {
      const { exit, stdout } = await gondola(['shadow', 'show', '--tenant', 'acme']);
      expect(exit).toBe(0);
      expect(stdout).toMatch(/^order-command-handler +acme +same +12$/m);
    });

    it('list their differences, also as CSV with both sides', async () => {
      const { document } = await json(['shadow', 'differences', '--kind', 'another-value']);
      expect(document).toMatchObject({ differences: [{ entity: '100234', commandId: 'c-88' }], failed: [] });
      const { exit, stdout } = await gondola(['shadow', 'differences', '--csv']);
      expect(exit).toBe(0);
      expect(stdout.split('\n')[1]).toContain('"{""value"":1245}";"[{""value"":""13.00""}]"');
    });

    it('are held, and live from a time on, in all apps, which are asked first', async () => {
      const held = await gondola(['shadow', 'hold', '--tenant', 'acme']);
      expect([held.exit, held.stdout.match(/acme +shadow +2026/g)?.length]).toEqual([0, 4]);
      const before = apps.received.length;
      const live = ['shadow', 'live', '--tenant', 'acme', '--from', '2026-12-01T06:00:00Z'];
      const { document } = await json(live);
      const points = [{ mode: 'live', from: '2026-12-01T06:00:00Z' }];
      const all = ['webhook-ingest', 'catalog-publisher', 'order-command-handler', 'file-gateway'];
      expect(document).toMatchObject({ modes: all.map((app) => ({ app, points })), failed: [] });
      const methods = apps.received.slice(before).map(({ method }) => method);
      expect(methods).toEqual([...all.map(() => 'GET'), ...all.map(() => 'POST')]);
    });

    it('stay as they are if a time is not possible, or none is given', async () => {
      const { exit, stderr } = await gondola(['shadow', 'live', '--from', '2020-01-01T00:00:00Z']);
      expect([exit, stderr]).toEqual([2, expect.stringContaining('from must be later')]);
      expect(apps.received.filter(({ method }) => method === 'POST')).toHaveLength(1);
      expect((await gondola(['shadow', 'begin', '--tenant', 'acme'])).exit).toBe(2);
    });

    it('know no other kind', async () => {
      expect((await gondola(['shadow', 'differences', '--kind', 'other'])).exit).toBe(2);
    });
  });

  describe('what goes wrong', () => {
    it('is one document with --json, and one sentence', async () => {
      const { exit, document, stderr } = await json(['notifications', 'show', '9999']);
      expect(exit).toBe(1);
      expect(document).toEqual({ error: { code: 'NOT_FOUND', message: stderr.trimEnd() } });
      const wrong = await json(['notifications', 'shoe']);
      expect(wrong).toMatchObject({ exit: 2, document: { error: { code: 'WRONG_USAGE' } } });
    });

    it('is said of an address that is a guess, where nothing is changed', async () => {
      const nowhere = { env: { ...ENV, GONDOLA_TIMEOUT_MS: '1' }, folder, width: null };
      const guess =
        /^The address of webhook-ingest is a guess: http:\/\/127\.0\.0\.1:8081 \(default port\), since [^\n]*\n/;
      const read = await run({ args: ['webhook', 'status'], ...nowhere });
      expect(read.stderr).toMatch(guess);
      for (const args of [['notifications', 'reprocess', '17'], REGISTER, [...ERASE, '--confirm']]) {
        const changed = await run({ args: [...args, '--json'], ...nowhere });
        expect(changed).toMatchObject({ exit: 2, stderr: expect.stringMatching(guess) });
        expect(JSON.parse(changed.stdout)).toMatchObject({ error: { code: 'ADDRESS_GUESSED' } });
      }
      expect((await gondola(['webhook', 'status'])).stderr).toBe('');
    });

    it('is the app’s own word where it refuses', async () => {
      apps.answer = () => refusal(409, 'CONFLICT', 'It was discarded already');
      const { exit, stderr } = await gondola(['notifications', 'reprocess', '17']);
      expect(exit).toBe(1);
      expect(stderr).toBe('webhook-ingest refused (409 CONFLICT): It was discarded already\n');
    });

    it('is 3 if nothing listens, and the message names the address', async () => {
      const held = await heldPort(apps.port);
      const url = `http://127.0.0.1:${held.port}`;
      const { exit, stderr } = await gondola(['webhook', 'status', '--api-url', url]);
      held.release();
      expect(exit).toBe(3);
      expect(stderr).toBe(
        `webhook-ingest does not answer at ${url} (--api-url): ECONNREFUSED; check that it runs, and the address.\n`,
      );
    });

    it('is 3 if no answer comes in time, and no text claims that a change was not made', async () => {
      apps.answer = () => 'never';
      const { exit, stderr } = await gondola(['notifications', 'reprocess', '17'], { GONDOLA_TIMEOUT_MS: '200' });
      expect(exit).toBe(3);
      expect(stderr).toMatch(/within 200 ms; the change may have been made or not/);
    });

    it('is no stack trace where something else answers', async () => {
      apps.answer = () => ({ status: 200, body: '<html>' });
      const page = await gondola(['notifications', 'list']);
      expect(page).toMatchObject({
        exit: 1,
        stdout: '',
        stderr: expect.stringMatching(/^[^\n]*answered 200[^\n]*\n$/),
      });
      apps.answer = () => ({ status: 200, body: { entries: 'none' } });
      expect(await gondola(['notifications', 'list'])).toMatchObject({ exit: 1, stdout: '' });
    });
  });

  describe('the operations token', () => {
    it('is shown from the environment or from a file, and never printed', async () => {
      apps.token = TOKEN;
      const file = join(folder, 'token');
      await writeFile(file, `${TOKEN}\n`);
      expect(await gondola(['webhook', 'status'], { OPERATIONS_TOKEN: TOKEN })).toMatchObject({ exit: 0 });
      expect(await gondola(['webhook', 'status'], { OPERATIONS_TOKEN_FILE: file })).toMatchObject({ exit: 0 });
      const both = await gondola(['webhook', 'status'], { OPERATIONS_TOKEN: TOKEN, OPERATIONS_TOKEN_FILE: file });
      expect(both.exit).toBe(2);
      const broken = await gondola(['webhook', 'status'], { OPERATIONS_TOKEN: `${TOKEN} ${TOKEN}` });
      expect(broken.exit).toBe(2);
      expect(both.stdout + both.stderr + broken.stdout + broken.stderr).not.toContain(TOKEN);
    });

    it('that is missing or another one is exit code 4, and the sentence names the variable', async () => {
      apps.token = TOKEN;
      expect(await gondola(['webhook', 'status'])).toMatchObject({
        exit: 4,
        stderr: expect.stringMatching(/set OPERATIONS_TOKEN/),
      });
      const other = await gondola(['webhook', 'status'], { OPERATIONS_TOKEN: 'another' });
      expect(other).toMatchObject({ exit: 4, stderr: expect.stringMatching(/check OPERATIONS_TOKEN/) });
      expect(other.stderr).not.toContain('another');
      expect(await gondola(['webhook', 'status'], { OPERATIONS_TOKEN_FILE: join(folder, 'none') })).toMatchObject({
        exit: 2,
        stderr: expect.stringMatching(/cannot be read \(ENOENT\)/),
      });
    });

    it('is not blamed where the app has its operations API switched off', async () => {
      apps.answer = () => refusal(403, 'FORBIDDEN', 'The operations API is off: set OPERATIONS_TOKEN');
      const { exit, document, stderr } = await json(['webhook', 'status'], { OPERATIONS_TOKEN: TOKEN });
      expect([exit, document]).toEqual([1, { error: { code: 'FORBIDDEN', message: stderr.trimEnd() } }]);
      expect(stderr).toContain('The operations API is off');
    });

    it('does not go where a redirect points', async () => {
      apps.answer = ({ path }) =>
        path === '/api/webhook-registration'
          ? { status: 307, body: {}, headers: { location: `${apps.urlOf('file-gateway')}/api/stolen` } }
          : undefined;
      const { exit } = await gondola(['webhook', 'status'], { OPERATIONS_TOKEN: TOKEN });
      expect(exit).toBe(1);
      expect(apps.received.map(({ path }) => path)).toEqual(['/api/webhook-registration']);
    });
  });
});

/** The erasures that the fake apps received. */
function changesOf({ received }: FakeApps) {
  return received.filter(({ path, method }) => method === 'POST' && path === '/api/erasures');
}
