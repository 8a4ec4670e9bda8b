import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { ConfigError } from './config.ts';
import { readTenantsDocument } from './tenants-document.ts';

const CANARY = 'canary-that-must-not-be-shown';

const folder = mkdtempSync(join(tmpdir(), 'gondola-tenants-document-'));
afterAll(() => rmSync(folder, { recursive: true }));

function read(text: string): unknown {
  const path = join(folder, 'tenants.yaml');
  writeFileSync(path, text);
  return readTenantsDocument(path);
}

function problemsIn(text: string): string[] {
  try {
    read(text);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ where, problem }) => `${where}: ${problem}`);
    throw error;
  }
  throw new Error('No problem was found');
}

const sixtyLevels = (inner: string) => `${'['.repeat(60)}${inner}${']'.repeat(60)}`;

describe('readTenantsDocument', () => {
  it('reports where a file is not YAML, without quoting it', () => {
    const problems = problemsIn(`tenants:\n  - id: "${CANARY}\n`);
    expect(problems[0]).toMatch(
      /^TENANTS_FILE: linha 3, coluna 1 \/ line 3, column 1: falta algo .+ \/ something is missing /,
    );
    expect(problems.join()).not.toContain(CANARY);
  });

  it.each([
    ['a tab', `tenants:\n\t- id: ${CANARY}`, 2, 1, /há um tab no recuo: use espaços \/ there is a tab/],
    ['a key twice', `tenants: []\ntenants: ${CANARY}`, 2, 1, /a chave aparece duas vezes .+ \/ the key stands twice/],
    ['two ":"', `tenants: ${CANARY}: x`, 1, 10, /há dois ":" .+ \/ there are two ":"/],
    ['an @', `tenants:\n  - id: @${CANARY}`, 2, 9, /não pode começar por este caractere.+ \/ a text cannot begin/],
    ['an escape', `tenants: "\\q${CANARY}"`, 1, 11, /depois de \\ .+ \/ what follows the \\ is not valid/],
    ['a list among keys', `tenants: []\n- ${CANARY}`, 2, 1, /mais de uma linha: .+ \/ the key cannot take/],
    ['a wrong indentation', `tenants:\n  id: a\n other: ${CANARY}`, 3, 1, /o recuo .+ \/ the indentation/],
    ['what follows a list', `tenants: []]`, 1, 12, /algo não cabe aqui.+ \/ something does not belong here/],
    ['a second document', `tenants: []\n---\n${CANARY}: 1`, 2, 1, /segundo documento .+ \/ a second document/],
  ])('reports what is wrong with %s in one line, with line and column', (_what, text, line, column, sentence) => {
    const [problem] = problemsIn(text);
    expect(problem).toMatch(sentence);
    expect(problem).toContain(`linha ${line}, coluna ${column} / line ${line}, column ${column}: `);
    expect(problemsIn(text).join().replaceAll('TENANTS_FILE', '')).not.toMatch(new RegExp(`${CANARY}|\\n|[A-Z]_[A-Z]`));
  });

  it('resolves aliases, with which tenants share settings', () => {
    const tenants = Array.from({ length: 500 }, (_, index) => `  - { id: t${index}, catalog: *common }`);
    const content = read(`x: &common { units: { UN: Un } }\ntenants:\n${tenants.join('\n')}`);
    expect(content).toHaveProperty('tenants.499', { id: 't499', catalog: { units: { UN: 'Un' } } });
  });

  it('refuses an alias whose anchor is missing or comes later', () => {
    expect(problemsIn(`tenants:\n  - *${CANARY}`)).toEqual([
      'TENANTS_FILE: linha 2, coluna 5 / line 2, column 5: alias sem âncora antes dele / alias without an anchor before it',
    ]);
    expect(problemsIn(`a: *later\nb: &later 1`)).toHaveLength(1);
  });

  it.each([
    ['in a list', 'tenants: &all\n  - *all'],
    ['deeper', 'tenants: &all\n  - &one { id: acme, catalog: { units: *all } }'],
    ['in a merge', 'tenants: &all\n  <<: *all'],
  ])('refuses an alias inside its own anchor (%s)', (_what, text) => {
    expect(problemsIn(text)).toEqual([
      expect.stringMatching(/line 2, column \d+: alias dentro do que ele repete \/ alias inside of what it repeats$/),
    ]);
  });

  it('refuses nested aliases before they fill the memory', () => {
    const levels = Array.from(
      { length: 12 },
      (_, level) => `l${level + 1}: &l${level + 1} [${`*l${level},`.repeat(9)}]`,
    );
    expect(problemsIn(`l0: &l0 ${CANARY}\n${levels.join('\n')}`)).toEqual([
      'TENANTS_FILE: mais de 1000 repetições por alias / more than 1000 repetitions by alias',
    ]);
  });

  it('refuses a document nested too deeply for its readers, by brackets or by aliases', () => {
    expect(problemsIn('['.repeat(100_000))[0]).toMatch(/^TENANTS_FILE: /);
    expect(() => read(`a: ${sixtyLevels('1')}`)).not.toThrow();
    expect(problemsIn(`a: &a ${sixtyLevels('1')}\nb: ${sixtyLevels('*a')}`)).toEqual([
      'TENANTS_FILE: mais de 100 níveis / more than 100 levels',
    ]);
  });
});
