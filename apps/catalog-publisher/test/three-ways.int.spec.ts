import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CatalogInstallation } from './support/catalog-app.ts';
import { gondola as command } from './support/gondola-command.ts';
import { invoiceRows } from './support/invoice-rows.ts';
import { POLICY } from './support/product-samples.ts';

interface Group {
  readonly level: string;
  readonly code: string;
  readonly field: string;
  readonly records: number;
}

interface CheckedFile {
  readonly outcomes: Record<string, number>;
  readonly groups: readonly Group[];
}

interface Verdict {
  readonly valid: number;
  readonly invalid: number;
  /** `level code field: records`. */
  readonly reasons: readonly string[];
}

const CATALOG = {
  units: { UN: 'Un' },
  commercialPolicies: { varejo: POLICY },
  defaults: {
    product: {
      commercialPolicyId: 'varejo',
      punctuation: 10,
      slug: { from: 'nameAndReference' },
      shortDescription: { from: 'title' },
      longDescription: { from: 'title' },
    },
    sku: { name: { from: 'productName' }, manufacturerCode: 'N/A', arrivalDate: '2026-01-01', weightReal: '1' },
  },
};
const MEASURES = ['heightForFreight', 'widthForFreight', 'lengthForFreight', 'heightReal', 'widthReal', 'lengthReal'];

function said(stdout: string): Verdict {
  const { outcomes, groups } = JSON.parse(stdout) as CheckedFile;
  const reasons = groups.map(({ level, code, field, records }) => `${level} ${code} ${field}: ${records}`);
  return { valid: outcomes['valid'] ?? 0, invalid: outcomes['invalid'] ?? 0, reasons: reasons.toSorted() };
}

describe('a file of an ERP that is checked alone, by preflight, and then loaded', () => {
  let gondola: CatalogInstallation;
  let folder: string;

  beforeAll(async () => {
    gondola = await CatalogInstallation.create('cp-three-ways', [{ id: 'acme', catalog: CATALOG }]);
    await gondola.startApp();
    await gondola.readTopics();
    folder = await mkdtemp(join(tmpdir(), 'gondola-three-ways-'));
  });

  afterAll(async () => {
    await gondola.close();
    await rm(folder, { recursive: true });
  });

  const run = (...args: readonly string[]) => command(gondola.installation.running.url, ...args).ended;
  const check = (file: string) =>
    run('records', 'check', file, '--create', '--tenants', gondola.installation.env['TENANTS_FILE'] ?? '', '--json');

  async function write(name: string, rows: readonly (readonly string[])[]): Promise<string> {
    const file = join(folder, name);
    await writeFile(file, rows.map((cells) => cells.join(';')).join('\n'));
    return file;
  }

  /** Products as a spreadsheet writes them; the weight is the row's own. */
  async function products(name: string, weightOf: (index: number) => string): Promise<string> {
    const rows = await invoiceRows();
    const header = [
      'externalReference',
      'name',
      'title',
      'fiscalCode',
      'sku.externalReference',
      'sku.reference',
      'sku.ean',
    ];
    const lines = rows.map(({ code, ean, name: text, ncm, unit }, index) => {
      const reference = `${name}-${code}`;
      const measures = MEASURES.map(() => '10');
      return [reference, text, text, ncm, reference, reference, ean || 'SEM GTIN', unit, weightOf(index), ...measures];
    });
    return write(`produtos-${name}.csv`, [
      [...header, 'sku.unitOfMeasurement', 'sku.weightForFreight', ...MEASURES.map((each) => `sku.${each}`)],
      ...lines,
    ]);
  }

  /** Verdict by the results of a loaded file. */
  function became(prefix: string): Verdict {
    const results = gondola.results().map(({ value }) => value as unknown as Result);
    const own = results.filter(({ entity, final }) => final && entity.externalReference.startsWith(`${prefix}-`));
    const counts = new Map<string, number>();
    for (const { errors, warnings } of own) {
      const of = (level: string, all: Result['errors']) => all.map(({ code, field }) => `${level} ${code} ${field}`);
      for (const key of new Set([...of('error', errors), ...of('warning', warnings)])) {
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
    return {
      valid: own.filter(({ outcome }) => outcome === 'applied').length,
      invalid: own.filter(({ outcome }) => outcome === 'invalid').length,
      reasons: [...counts].map(([key, count]) => `${key}: ${count}`).toSorted(),
    };
  }

  it.each([
    ['real', 'the products of real invoices', () => '0.250'],
    [
      'commas',
      'the same products with decimal commas in every third row',
      (index: number) => (index % 3 === 0 ? '0,250' : '0.250'),
    ],
  ])('has the same verdicts in all three ways: %s, %s (rule 20)', async (name, _what, weightOf) => {
    const file = await products(name, weightOf);
    const checked = await check(file);
    const asked = await run('catalog', 'preflight', file, '--json');
    const loaded = await run('catalog', 'load', file, '--json');
    expect([checked.stderr, asked.stderr]).toEqual(['', '']);
    const verdict = said(asked.stdout);
    expect(said(checked.stdout)).toEqual(verdict);
    expect(became(name)).toEqual(verdict);
    expect(verdict.valid + verdict.invalid).toBe((await invoiceRows()).length);
    expect(verdict.reasons.join('\n')).toContain('error UNIT_UNKNOWN unitOfMeasurement: 1');
    expect(verdict.reasons.join('\n')).toContain('warning GTIN_INVALID ean: 1');
    expect([checked.exit, asked.exit, loaded.exit]).toEqual([1, 1, 1]);
  });

  it('is refused in all three ways where its data has a decimal comma, and nothing is sent (rule 21)', async () => {
    const file = await write('precos.csv', [
      ['externalReference', 'data.price'],
      ['1', '9,90'],
      ['2', '9.90'],
    ]);
    const before = gondola.results().length;
    const all = [
      await check(file),
      await run('catalog', 'preflight', file, '--kind', 'price'),
      await run('catalog', 'load', file, '--kind', 'price'),
    ];
    for (const { exit, stderr, stdout } of all) {
      expect([exit, `${stdout}${stderr}`]).toEqual([2, expect.stringContaining('9,90')]);
    }
    expect(gondola.results()).toHaveLength(before);
  });
});

interface Result {
  readonly entity: { readonly externalReference: string };
  readonly outcome: string;
  readonly final: boolean;
  readonly errors: readonly { readonly code: string; readonly field: string }[];
  readonly warnings: readonly { readonly code: string; readonly field: string }[];
}
