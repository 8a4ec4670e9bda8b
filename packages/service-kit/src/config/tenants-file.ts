import { z } from 'zod';
import { ConfigError, deepFreeze, readSecretFile, withoutLineEnd } from './config.ts';
import type { ConfigProblem, Environment } from './config.ts';
import { readTenantsDocument, TENANTS_TITLE } from './tenants-document.ts';
import { tenantsSchema } from './tenants-schema.ts';
import type { SecretReference, SecretResolver, SecretResolvers, TenantSection } from './tenants-schema.ts';

type WholeTenant = z.output<ReturnType<typeof tenantsSchema>>['tenants'][number];

const SECRETS = {
  platform: ['password', 'coreApiKey'],
  webhook: ['tokens', 'mirror'],
  uploads: ['tokens'],
  sftp: ['password'],
} as const;

type WithoutSecrets<S extends TenantSection, Section = WholeTenant[S]> = Section extends null
  ? null
  : Omit<Section, (typeof SECRETS)[S][number]>;

/**
 * One tenant with its defaults, and with the secrets of the sections `Used`. The secrets of other sections are
 * absent, so that code which reads them does not compile. The default is the configuration for a caller of the
 * platform. Deeply frozen.
 */
export type TenantConfig<Used extends TenantSection = 'platform'> = Omit<WholeTenant, TenantSection> & {
  [S in TenantSection]: S extends Used ? WholeTenant[S] : WithoutSecrets<S>;
};

/**
 * Reads the tenants file (YAML or JSON). Secrets are references to variables of `env` or to files; only those of
 * the sections in `uses` are read, and the others need not exist. Throws one `ConfigError` with every problem and
 * its path in the file, without any value of the file or of a secret.
 */
export function loadTenants<Used extends TenantSection>(
  path: string,
  env: Environment,
  uses: readonly Used[],
): readonly TenantConfig<Used>[] {
  const resolve = secretResolver(env);
  const resolvers: SecretResolvers = Object.fromEntries(uses.map((section) => [section, resolve]));
  const content = readTenantsDocument(path);
  const result = tenantsSchema(resolvers).safeParse(content, { error: bothLanguages });
  const problems = duplicateProblems(content, resolvers);
  if (!result.success) problems.unshift(...result.error.issues.map(problemOf));
  if (problems.length > 0 || !result.success) throw new ConfigError(problems, TENANTS_TITLE);
  return deepFreeze(result.data.tenants.map((tenant) => withSecretsOf(uses, tenant)));
}

/** The JSON Schema of the file as operators write it; published as `docs/tenants.schema.json`. */
export function tenantsJsonSchema(): object {
  return {
    title: 'Gondola tenants file (TENANTS_FILE)',
    ...z.toJSONSchema(tenantsSchema({}), { io: 'input', unrepresentable: 'any' }),
  };
}

function withSecretsOf<Used extends TenantSection>(uses: readonly Used[], tenant: WholeTenant): TenantConfig<Used> {
  const used = new Set<string>(uses);
  const others = Object.entries(SECRETS)
    .filter(([section]) => !used.has(section))
    .map(([section, names]) => [section, without(names, tenant[section as TenantSection])] as const);
  return { ...tenant, ...Object.fromEntries(others) } as TenantConfig<Used>;
}

function without(names: readonly string[], section: object | null): object | null {
  if (section === null) return null;
  return Object.fromEntries(Object.entries(section).filter(([name]) => !names.includes(name)));
}

function secretResolver(env: Environment): SecretResolver {
  return (reference) => {
    if ('file' in reference) return readSecretFile(reference.file);
    // Own properties only, since every object has a `constructor`.
    const text = Object.hasOwn(env, reference.env) ? withoutLineEnd(env[reference.env] ?? '') : '';
    if (text !== '') return { ok: true, text };
    return { ok: false, problem: `a variável ${reference.env} não existe / variable ${reference.env} is not set` };
  };
}

function problemOf(issue: z.core.$ZodIssue): ConfigProblem {
  return { where: pathText(issue.path), problem: issue.message };
}

function pathText(path: readonly PropertyKey[]): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return text.replace(/^\./, '') || 'TENANTS_FILE';
}

function bothLanguages(issue: z.core.$ZodRawIssue): string {
  return `${messageIn(PORTUGUESE, issue)} / ${messageIn(ENGLISH, issue)}`;
}

const PORTUGUESE = z.locales.ptBR().localeError;
const ENGLISH = z.locales.en().localeError;

function messageIn(locale: z.core.$ZodErrorMap, issue: z.core.$ZodRawIssue): string {
  const message = locale(issue);
  return (typeof message === 'string' ? message : message?.message) ?? 'inválido / invalid';
}

/**
 * Values that two tenants must not share: ids (compared without case, since they are also folder names), contract
 * accounts, and the tokens that are read, each of which identifies its tenant. Reads the unchecked content, so that
 * these problems are reported with the others.
 */
function duplicateProblems(content: unknown, resolvers: SecretResolvers): ConfigProblem[] {
  const seen = new Map<string, string>();
  const problems: ConfigProblem[] = [];
  for (const { kind, value, where } of identitiesIn(content, resolvers)) {
    const key = `${kind} ${value}`;
    const first = seen.get(key);
    if (first === undefined) seen.set(key, where);
    else problems.push({ where, problem: `igual a / the same as ${first}` });
  }
  return problems;
}

function* identitiesIn(
  content: unknown,
  resolvers: SecretResolvers,
): Generator<{ kind: string; value: string; where: string }> {
  for (const [index, tenant] of listIn(content, 'tenants').entries()) {
    for (const kind of ['id', 'contractAccountId']) {
      const value = fieldIn(tenant, kind);
      if (typeof value === 'string') yield { kind, value: value.toLowerCase(), where: `tenants[${index}].${kind}` };
    }
    for (const section of ['webhook', 'uploads'] as const) {
      for (const [position, reference] of listIn(fieldIn(tenant, section), 'tokens').entries()) {
        const secret = isReference(reference) ? resolvers[section]?.(reference) : undefined;
        const where = `tenants[${index}].${section}.tokens[${position}]`;
        if (secret?.ok === true) yield { kind: 'token', value: secret.text, where };
      }
    }
  }
}

function fieldIn(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function listIn(value: unknown, name: string): unknown[] {
  const list = fieldIn(value, name);
  return Array.isArray(list) ? (list as unknown[]) : [];
}

function isReference(value: unknown): value is SecretReference {
  return typeof fieldIn(value, 'env') === 'string' || typeof fieldIn(value, 'file') === 'string';
}
