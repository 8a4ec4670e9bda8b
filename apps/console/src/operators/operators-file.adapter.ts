import { readFileSync } from 'node:fs';
import {
  ConfigError,
  type ConfigProblem,
  deepFreeze,
  type Environment,
  readSecretFile,
} from '@gondola/service-kit/config/config';
import { operatorName } from '@gondola/service-kit/logging/operator';
import { parse } from 'yaml';
import { z } from 'zod';
import { looksProvided, type Roles, ROLES } from './operator.ts';
import { isPasswordHash } from './password-hash.adapter.ts';

/** Users with a password, and the roles of groups of OpenID Connect. */
export interface OperatorsFile {
  readonly users: ReadonlyMap<string, { readonly passwordHash: string; readonly roles: Roles }>;
  readonly groups: ReadonlyMap<string, Roles>;
}

export const NO_OPERATORS: OperatorsFile = { users: new Map(), groups: new Map() };

const VARIABLE = 'CONSOLE_USERS_FILE';
const ROLE = 'see ou / or act';
const NAME = '1 a 100 caracteres visíveis / 1 to 100 printable characters';
const PROVIDED = 'assim terminam os nomes do OpenID Connect: (SSO) / names of OpenID Connect end like this: (SSO)';
const HASH = 'um texto de / a text from: npm run password -w @gondola/console';

const roles = z.record(z.string(), z.enum(ROLES, { error: ROLE }), { error: `loja: ${ROLE}` });
const secret = z.union([z.string(), z.strictObject({ env: z.string() }), z.strictObject({ file: z.string() })], {
  error: HASH,
});
const document = z.strictObject({
  users: z.record(z.string(), z.strictObject({ password: secret, roles })).default({}),
  groups: z.record(z.string(), roles).default({}),
});

export interface OperatorsSource {
  /** Path; empty: there is no file. */
  readonly file: string;
  readonly env: Environment;
  /** Ids of the tenants file. */
  readonly tenants: readonly string[];
}

/** Reads the users file (YAML or JSON). Throws one `ConfigError` with every problem, without any value. */
export function loadOperators({ file, env, tenants }: OperatorsSource): OperatorsFile {
  if (file === '') return NO_OPERATORS;
  const content = document.safeParse(contentOf(file));
  if (!content.success) {
    throw new ConfigError(
      content.error.issues.map(({ path, message }) => ({ where: whereOf(path), problem: message })),
    );
  }
  const { users, groups } = content.data;
  const problems: ConfigProblem[] = [];
  const hashes = Object.entries(users).map(([name, { password, roles: given }]) => {
    const passwordHash = resolved(password, env);
    if (passwordHash === null || !isPasswordHash(passwordHash)) {
      problems.push({ where: whereOf(['users', name, 'password']), problem: HASH });
    }
    // The apps refuse each call that names another operator.
    if (operatorName(name) !== name) problems.push({ where: whereOf(['users']), problem: NAME });
    if (looksProvided(name)) problems.push({ where: whereOf(['users', name]), problem: PROVIDED });
    problems.push(...unknownTenants(['users', name, 'roles'], given, tenants));
    return [name, { passwordHash: passwordHash ?? '', roles: given }] as const;
  });
  for (const [name, given] of Object.entries(groups)) {
    problems.push(...unknownTenants(['groups', name], given, tenants));
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return deepFreeze({ users: new Map(hashes), groups: new Map(Object.entries(groups)) });
}

function contentOf(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const problem = `não é possível ler o arquivo / the file cannot be read (${code ?? 'error'})`;
    throw new ConfigError([{ where: VARIABLE, problem }]);
  }
  try {
    return parse(text) as unknown;
  } catch {
    throw new ConfigError([{ where: VARIABLE, problem: 'não é YAML nem JSON / neither YAML nor JSON' }]);
  }
}

function resolved(reference: z.output<typeof secret>, env: Environment): string | null {
  if (typeof reference === 'string') return reference;
  if ('env' in reference) return Object.hasOwn(env, reference.env) ? (env[reference.env] ?? null) : null;
  const content = readSecretFile(reference.file);
  return content.ok ? content.text : null;
}

function unknownTenants(path: readonly string[], given: Roles, tenants: readonly string[]): ConfigProblem[] {
  return Object.keys(given)
    .filter((tenant) => tenant !== '*' && !tenants.includes(tenant))
    .map((tenant) => ({
      where: whereOf([...path, tenant]),
      problem: 'não há esta loja no arquivo de lojas / the tenants file has no such tenant',
    }));
}

function whereOf(path: readonly PropertyKey[]): string {
  return [VARIABLE, ...path.map(String)].join('.');
}
