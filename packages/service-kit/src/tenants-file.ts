import { z } from 'zod';
import { ConfigError, deepFreeze, readSecretFile, withoutLineEnd } from './config.ts';
import type { ConfigProblem, Environment } from './config.ts';
import { readTenantsDocument, TENANTS_TITLE } from './tenants-document.ts';
import { tenantsSchema } from './tenants-schema.ts';
import type { SecretReference, SecretResolver } from './tenants-schema.ts';

/** One tenant with its defaults filled in and its secrets read; deeply frozen. */
export type TenantConfig = z.output<ReturnType<typeof tenantsSchema>>['tenants'][number];

/**
 * Reads the tenants file (YAML or JSON). Secrets are references to variables of `env` or to files. Throws one
 * `ConfigError` with every problem by its path in the file; no value of the file or of a secret is in it.
 */
export function loadTenants(path: string, env: Environment): readonly TenantConfig[] {
  const resolve = secretResolver(env);
  const content = readTenantsDocument(path);
  const result = tenantsSchema(resolve).safeParse(content, { error: bothLanguages });
  const problems = duplicateProblems(content, resolve);
  if (!result.success) problems.unshift(...result.error.issues.map(problemOf));
  if (problems.length > 0 || !result.success) throw new ConfigError(problems, TENANTS_TITLE);
  return deepFreeze(result.data.tenants);
}

/** The JSON Schema of the file as operators write it; published as `docs/tenants.schema.json`. */
export function tenantsJsonSchema(): object {
  const schema = tenantsSchema(() => ({ ok: false, problem: '' }));
  return {
    title: 'Gondola tenants file (TENANTS_FILE)',
    ...z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }),
  };
}

function secretResolver(env: Environment): SecretResolver {
  return (reference) => {
    if ('file' in reference) return readSecretFile(reference.file);
    // Own variables only: every object knows a `constructor`.
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
 * What must be different between tenants: ids (also as folder names, so whatever their case), contract accounts, and
 * tokens, each of which names its tenant. Looks at the file as it is, so that these problems are told with the others.
 */
function duplicateProblems(content: unknown, resolve: SecretResolver): ConfigProblem[] {
  const seen = new Map<string, string>();
  const problems: ConfigProblem[] = [];
  for (const { kind, value, where } of identitiesIn(content, resolve)) {
    const key = `${kind} ${value}`;
    const first = seen.get(key);
    if (first === undefined) seen.set(key, where);
    else problems.push({ where, problem: `igual a / the same as ${first}` });
  }
  return problems;
}

function* identitiesIn(
  content: unknown,
  resolve: SecretResolver,
): Generator<{ kind: string; value: string; where: string }> {
  for (const [index, tenant] of listIn(content, 'tenants').entries()) {
    for (const kind of ['id', 'contractAccountId']) {
      const value = fieldIn(tenant, kind);
      if (typeof value === 'string') yield { kind, value: value.toLowerCase(), where: `tenants[${index}].${kind}` };
    }
    for (const section of ['webhook', 'uploads']) {
      for (const [position, reference] of listIn(fieldIn(tenant, section), 'tokens').entries()) {
        const secret = isReference(reference) ? resolve(reference) : { ok: false as const };
        const where = `tenants[${index}].${section}.tokens[${position}]`;
        if (secret.ok) yield { kind: 'token', value: secret.text, where };
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
