import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import { ConfigError } from './config.ts';
import type { Environment } from './config.ts';
import { loadTenants, tenantsJsonSchema } from './tenants-file.ts';
import type { TenantConfig } from './tenants-file.ts';

const WEBHOOK_TOKEN = 'webhook-token-of-acme-0001';
const UPLOAD_TOKEN = 'upload-token-of-acme-00001';
const CANARY = 'canary-that-must-not-be-shown';
const RETENTION = { bodyDays: 30, keyDays: 180 };
const ENV = { ACME_PASSWORD: 'p', ACME_WEBHOOK: WEBHOOK_TOKEN, ACME_UPLOAD: UPLOAD_TOKEN, EMPTY: '', SHORT: 'short' };

const folder = mkdtempSync(join(tmpdir(), 'gondola-tenants-'));
afterAll(() => rmSync(folder, { recursive: true }));

const MINIMAL = {
  id: 'acme',
  contractAccountId: '11111111-1111-4111-8111-111111111111',
  platform: { baseUrl: 'http://127.0.0.1:8090/', username: 'erp-one', password: { env: 'ACME_PASSWORD' } },
};
const OTHER = { ...MINIMAL, id: 'other', contractAccountId: '22222222-2222-4222-8222-222222222222' };

function written(text: string, name = 'tenants.yaml'): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const SFTP = {
  host: 'sftp.example.com',
  username: 'imagens',
  password: { env: 'SFTP_PHRASE' },
  hostKeys: [`SHA256:${'a'.repeat(43)}`],
  contractFolder: 'loja',
};

const ALL = ['platform', 'webhook', 'uploads', 'sftp'] as const;
type Whole = TenantConfig<(typeof ALL)[number]>;

const loadAll = (path: string, env: Environment): readonly Whole[] => loadTenants(path, env, ALL);

function load(...tenants: object[]): readonly Whole[] {
  return loadAll(written(stringify({ tenants })), ENV);
}

function problemsOf(work: () => unknown): string[] {
  try {
    work();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ where, problem }) => `${where}: ${problem}`);
    throw error;
  }
  throw new Error('No problem was found');
}

const keeping = (retention: object) => ({ ...MINIMAL, webhook: { retention } });
const problemsIn = (...tenants: object[]) => problemsOf(() => load(...tenants));

describe('loadTenants', () => {
  it('accepts the days after which orders lose their personal data', () => {
    const orders = { retention: { contentDays: 30 } };
    expect(load({ ...MINIMAL, orders })[0]?.orders).toEqual(orders);
  });

  it('fills in every default of the contract', () => {
    expect(load(MINIMAL)).toEqual([
      {
        ...MINIMAL,
        mode: 'live',
        language: 'pt-BR',
        platform: {
          baseUrl: 'http://127.0.0.1:8090',
          coreBaseUrl: 'http://127.0.0.1:8090',
          username: 'erp-one',
          password: 'p',
          coreApiKey: null,
          concurrency: 4,
          profile: expect.objectContaining({ patchStatusBody: { status: '<NAME>' } }),
        },
        webhook: { tokens: [], users: false, retention: RETENTION, mirror: null },
        uploads: { tokens: [] },
        sftp: null,
        deadlines: { commandMs: 900_000, invoiceMs: 3_600_000, referencesMs: 86_400_000, settleMs: 30_000 },
        orders: { retention: { contentDays: 180 } },
        watch: {
          notPreparedMs: 86_400_000,
          pickingUnconfirmedMs: 1_800_000,
          pdfMissingMs: 3_600_000,
          notInvoicedMs: 86_400_000,
          cancelUnfinishedMs: 86_400_000,
          refundUnfinishedMs: 604_800_000,
        },
        recovery: {
          callsPerMinute: 60,
          lookAgainMs: 3_600_000,
          lookups: 3,
          scanEveryMs: 300_000,
          quietMs: 600_000,
          quietMaxMs: 21_600_000,
          scanNumbers: 1_000,
          scanAhead: 20,
        },
        audit: { readsPerMinute: 60 },
        files: { allowedHosts: [] },
        catalog: { units: {}, defaults: {}, commercialPolicies: {}, assumeExists: {}, allowedExtraKeys: [] },
      },
    ]);
  });

  it('reads JSON as well as YAML, and secrets from variables and files', () => {
    const password = written(`${CANARY}\n`, 'password');
    const tenant = {
      ...MINIMAL,
      platform: { ...MINIMAL.platform, password: { file: password }, coreApiKey: { env: 'ACME_PASSWORD' } },
      webhook: { tokens: [{ env: 'ACME_WEBHOOK' }], users: true },
      uploads: { tokens: [{ env: 'ACME_UPLOAD' }] },
    };
    const [acme] = loadAll(written(JSON.stringify({ tenants: [tenant] }), 'tenants.json'), ENV);
    expect(acme?.platform).toMatchObject({ password: CANARY, coreApiKey: 'p' });
    expect(acme?.webhook).toEqual({ tokens: [WEBHOOK_TOKEN], users: true, retention: RETENTION, mirror: null });
    expect(acme?.uploads.tokens).toEqual([UPLOAD_TOKEN]);
  });

  it('accepts defaults by field, and refuses an unknown field (rule 23)', () => {
    const defaults = {
      product: {
        punctuation: 10,
        slug: { from: 'nameAndReference', pattern: 'loja-{reference}-{name}' },
        shortDescription: 'Frescal',
      },
      sku: { name: { from: 'productName' } },
      byCategory: { FRIOS: { sku: { weightForFreight: '0.5' } } },
    };
    expect(load({ ...MINIMAL, catalog: { defaults } })[0]?.catalog.defaults).toEqual(defaults);

    const wrong = {
      product: { punctation: 1, title: { from: 'name' }, slug: { from: 'nameAndReference', pattern: '{name}' } },
      byCategory: { FRIOS: { skus: {} } },
      skus: {},
    };
    const paths = problemsIn({ ...MINIMAL, catalog: { defaults: wrong } }).map((problem) => problem.split(':')[0]);
    expect(paths).toEqual([
      'tenants[0].catalog.defaults.product.slug.pattern',
      'tenants[0].catalog.defaults.product.title',
      'tenants[0].catalog.defaults.product',
      'tenants[0].catalog.defaults.byCategory.FRIOS',
      'tenants[0].catalog.defaults',
    ]);
  });

  it('requires that keys are stored at least as long as bodies', () => {
    expect(load(keeping({ bodyDays: 7 }))[0]?.webhook.retention).toEqual({ bodyDays: 7, keyDays: 180 });
    expect(problemsIn(keeping({ bodyDays: 200 }))).toEqual([
      'tenants[0].webhook.retention.keyDays: pelo menos bodyDays / at least bodyDays',
    ]);
    expect(problemsIn(keeping({ bodyDays: 0 }))).toHaveLength(1);
  });

  it('is frozen all the way down', () => {
    const [acme] = load(MINIMAL);
    expect(Object.isFrozen(acme?.platform.profile.orderStatusPaths)).toBe(true);
    expect(Object.isFrozen(acme?.deadlines)).toBe(true);
  });

  it('refuses a secret in clear text, and names its path without repeating it', () => {
    const problems = problemsIn({ ...MINIMAL, platform: { ...MINIMAL.platform, password: CANARY } });
    expect(problems).toEqual([expect.stringMatching(/^tenants\[0\]\.platform\.password: use \{ env: NOME \}/)]);
    expect(problems.join()).not.toContain(CANARY);
  });

  it.each([
    ['a variable that is not set', { env: 'NOT_THERE' }, 'NOT_THERE is not set'],
    ['an empty variable', { env: 'EMPTY' }, 'EMPTY is not set'],
    ['a file that is not there', { file: '/nowhere/at/all' }, 'ENOENT'],
    ['a token that can be guessed', { env: 'SHORT' }, 'at least 24 characters'],
    ['both at once', { env: 'ACME_WEBHOOK', file: 'x' }, 'never the secret itself'],
  ])('names the path of %s', (_what, reference, problem) => {
    const problems = problemsIn({ ...MINIMAL, webhook: { tokens: [reference] } });
    expect(problems).toEqual([expect.stringContaining(problem)]);
    expect(problems[0]).toMatch(/^tenants\[0\]\.webhook\.tokens\[0\]: /);
  });

  it('requires and returns only the secrets of the sections that an app uses', () => {
    const wanted = { env: 'NOT_THERE' };
    const tenant = {
      ...MINIMAL,
      platform: { ...MINIMAL.platform, password: wanted, coreApiKey: wanted },
      webhook: { tokens: [{ env: 'ACME_WEBHOOK' }] },
      uploads: { tokens: [{ file: '/nowhere/at/all' }] },
    };
    const path = written(stringify({ tenants: [tenant] }));
    const acme = loadTenants(path, { ACME_WEBHOOK: WEBHOOK_TOKEN }, ['webhook'])[0]!;
    // Absent values must also be absent for the compiler.
    const hasPassword: 'password' extends keyof typeof acme.platform ? true : false = false;
    const hasUploadTokens: 'tokens' extends keyof typeof acme.uploads ? true : false = false;
    expect(acme.webhook).toEqual({ tokens: [WEBHOOK_TOKEN], users: false, retention: RETENTION, mirror: null });
    expect('password' in acme.platform || 'coreApiKey' in acme.platform).toBe(hasPassword);
    expect('tokens' in acme.uploads).toBe(hasUploadTokens);
    expect(acme.platform).toMatchObject({ username: 'erp-one', concurrency: 4 });

    expect(problemsOf(() => loadTenants(path, {}, ['platform', 'uploads'])).map((text) => text.split(':')[0])).toEqual([
      'tenants[0].platform.password',
      'tenants[0].platform.coreApiKey',
      'tenants[0].uploads.tokens[0]',
    ]);
  });

  it('checks the form of the secrets that an app does not use', () => {
    const tenant = {
      ...MINIMAL,
      platform: { ...MINIMAL.platform, password: CANARY },
      uploads: { tokens: [{ env: 'A', file: 'b' }] },
    };
    const problems = problemsOf(() => loadTenants(written(stringify({ tenants: [tenant] })), {}, ['webhook']));
    expect(problems).toEqual([
      expect.stringMatching(/^tenants\[0\]\.platform\.password: .*never the secret itself/),
      expect.stringMatching(/^tenants\[0\]\.uploads\.tokens\[0\]: .*never the secret itself/),
    ]);
  });

  it.each([
    ['a space', 'a token with spaces in between'],
    ['a line break inside', 'one-line-of-a-token\none-more-line'],
    ['a letter outside ASCII', 'uma-senha-com-acentuação-no-meio'],
    ['a control character', 'one-token-with-a-bell\u0007'],
  ])('refuses %s in any secret, which becomes a header, and names its path without the value', (_what, text) => {
    const reference = { env: 'WRONG' };
    const tenant = {
      ...MINIMAL,
      platform: { ...MINIMAL.platform, password: reference, coreApiKey: reference },
      webhook: { tokens: [reference] },
      uploads: { tokens: [{ env: 'ACME_UPLOAD' }] },
    };
    const problems = problemsOf(() => loadAll(written(stringify({ tenants: [tenant] })), { ...ENV, WRONG: text }));
    const problem = 'só ASCII visível, sem espaços / visible ASCII only, no spaces';
    expect(problems).toEqual([
      `tenants[0].platform.password: ${problem}`,
      `tenants[0].platform.coreApiKey: ${problem}`,
      `tenants[0].webhook.tokens[0]: ${problem}`,
    ]);
  });

  it.each(['\n', '\r\n'])('removes one line break at the end of a secret, from a variable or a file (%j)', (end) => {
    const file = written(`${CANARY}${end}`, 'password');
    const passwordOf = (password: object) => {
      const tenant = { ...MINIMAL, platform: { ...MINIMAL.platform, password } };
      const path = written(stringify({ tenants: [tenant] }));
      return loadAll(path, { ENDED: `${CANARY}${end}`, ENDED_TWICE: `${CANARY}${end}${end}`, ONLY: end })[0]?.platform
        .password;
    };
    expect([passwordOf({ env: 'ENDED' }), passwordOf({ file })]).toEqual([CANARY, CANARY]);
    expect(problemsOf(() => passwordOf({ env: 'ENDED_TWICE' }))[0]).toContain('visible ASCII');
    expect(problemsOf(() => passwordOf({ env: 'ONLY' }))[0]).toContain('ONLY is not set');
  });

  it.each(['constructor', '__proto__', 'toString'])(
    'does not find a variable %s, which every object inherits',
    (env) => {
      const problems = problemsIn({ ...MINIMAL, platform: { ...MINIMAL.platform, password: { env } } });
      expect(problems).toEqual([expect.stringContaining(`variable ${env} is not set`)]);
    },
  );

  it('refuses a user name with a colon, which ends the name in Basic', () => {
    const problems = problemsIn({ ...MINIMAL, platform: { ...MINIMAL.platform, username: `erp:${CANARY}` } });
    expect(problems).toEqual(['tenants[0].platform.username: sem dois-pontos / without a colon']);
  });

  it.each([
    ['http://host/a b', 'no spaces'],
    [' http://host', 'no spaces'],
    ['http://host\n', 'no spaces'],
    ['http://host/v1', 'without /v1'],
    ['http://host/V1/', 'without /v1'],
    ['http://user:canary@host', 'without /v1, parameters or password'],
    ['http://host?a=b', 'without /v1, parameters or password'],
    ['ftp://host', 'http(s)://…'],
  ])('refuses the base URL %j', (baseUrl, problem) => {
    const platform = { ...MINIMAL.platform, baseUrl, coreBaseUrl: baseUrl };
    expect(problemsIn({ ...MINIMAL, platform })).toEqual([
      expect.stringMatching(/^tenants\[0\]\.platform\.baseUrl: /),
      expect.stringMatching(/^tenants\[0\]\.platform\.coreBaseUrl: /),
    ]);
    expect(problemsIn({ ...MINIMAL, platform })[0]).toContain(problem);
  });

  it('accepts an SFTP server with a pinned host key and any text as password (rule 34)', () => {
    const path = written(stringify({ tenants: [{ ...MINIMAL, sftp: SFTP }] }));
    const env = { ...ENV, SFTP_PHRASE: 'uma frase com acentuação' };
    const password = 'uma frase com acentuação';
    expect(loadAll(path, env)[0]?.sftp).toEqual({ ...SFTP, password, port: 22, connections: 2 });
    // An app that does not use the section requires no password.
    expect(loadTenants(path, ENV, ['platform'])[0]?.sftp).toEqual(expect.not.objectContaining({ password }));
  });

  it('reports all problems of an SFTP server at once, by name and without a value (rule 34)', () => {
    const wrong = { host: `sftp://${CANARY}`, port: 0, username: '', hostKeys: [CANARY], contractFolder: '../loja' };
    const problems = problemsIn({ ...MINIMAL, sftp: { ...SFTP, ...wrong } }, { ...OTHER, sftp: { hostKeys: [] } });
    expect(problems.map((problem) => problem.split(':')[0])).toEqual([
      ...['host', 'port', 'username', 'password', 'hostKeys[0]', 'contractFolder'].map(
        (key) => `tenants[0].sftp.${key}`,
      ),
      ...['host', 'username', 'password', 'hostKeys', 'contractFolder'].map((key) => `tenants[1].sftp.${key}`),
    ]);
    expect(problems.join()).not.toContain(CANARY);
  });

  it('accepts at most two webhook tokens, so that one can replace the other', () => {
    const tokens = [{ env: 'ACME_WEBHOOK' }, { env: 'ACME_UPLOAD' }];
    expect(load({ ...MINIMAL, webhook: { tokens } })[0]?.webhook.tokens).toHaveLength(2);
    const three = problemsIn({ ...MINIMAL, webhook: { tokens: [...tokens, { env: 'ACME_PASSWORD' }] } });
    expect(three[0]).toMatch(/^tenants\[0\]\.webhook\.tokens: .*<=2/);
  });

  it('refuses ids, contract accounts and tokens that two tenants share', () => {
    const tokens = { webhook: { tokens: [{ env: 'ACME_WEBHOOK' }] } };
    const twin = { ...MINIMAL, id: 'ACME', ...tokens };
    expect(problemsIn({ ...MINIMAL, ...tokens }, twin)).toEqual([
      expect.stringMatching(/^tenants\[1\]\.id: .*the same as tenants\[0\]\.id$/),
      expect.stringMatching(/^tenants\[1\]\.contractAccountId: /),
      expect.stringMatching(/^tenants\[1\]\.webhook\.tokens\[0\]: /),
    ]);
    const borrowed = { ...OTHER, uploads: { tokens: [{ env: 'ACME_WEBHOOK' }] } };
    expect(problemsIn({ ...MINIMAL, ...tokens }, borrowed)[0]).toMatch(/^tenants\[1\]\.uploads\.tokens\[0\]: /);
    expect(load(MINIMAL, OTHER)).toHaveLength(2);
  });

  it('reports all problems at once, in both languages', () => {
    const problems = problemsIn(
      { ...MINIMAL, id: 'a/b', language: 'fr', contractAccountId: 'x', extra: 1 },
      { ...OTHER, platform: { ...OTHER.platform, baseUrl: 'http://host/v1', concurrency: 0, profile: { nope: 1 } } },
      { ...OTHER, id: 'third', catalog: { units: { UN: 'Unit' }, commercialPolicies: { loja: 'x' } } },
    );
    const paths = problems.map((problem) => problem.split(':')[0]);
    expect(paths).toEqual(
      expect.arrayContaining([
        'tenants[0].id',
        'tenants[0].language',
        'tenants[0].contractAccountId',
        'tenants[0]',
        'tenants[1].platform.baseUrl',
        'tenants[1].platform.concurrency',
        'tenants[1].platform.profile',
        'tenants[2].contractAccountId',
        'tenants[2].catalog.units.UN',
        'tenants[2].catalog.commercialPolicies.loja',
      ]),
    );
    expect(problems.find((problem) => problem.startsWith('tenants[0].language'))).toMatch(/Opção .* \/ .*option/);
  });

  it('reports a file that cannot be read or has no tenant', () => {
    expect(problemsOf(() => loadAll(join(folder, 'nowhere'), ENV))[0]).toContain('ENOENT');
    expect(problemsOf(() => loadAll(written(''), ENV))[0]).toMatch(/^TENANTS_FILE: /);
    expect(problemsIn()[0]).toMatch(/^tenants: /);
  });
});

describe('docs/tenants.schema.json', () => {
  it('agrees with the code (npm run schema writes it)', () => {
    const committed = readFileSync(new URL('../../../../docs/tenants.schema.json', import.meta.url), 'utf8');
    expect(JSON.parse(committed)).toEqual(JSON.parse(JSON.stringify(tenantsJsonSchema())));
  });
});
