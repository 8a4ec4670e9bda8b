import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

/** Folder of the chart. */
export const CHART = join(import.meta.dirname, '../gondola');
const SECRETS = ['DATABASE_URL', 'OPERATIONS_TOKEN', 'KAFKA_SASL_PASSWORD'];

/** The least that the chart has to be told. */
export const LEAST = {
  env: { KAFKA_BROKERS: 'kafka:9092' },
  tenants: { secret: 'gondola-tenants' },
  secrets: Object.fromEntries(SECRETS.map((name) => [name, { name: 'gondola', key: name }])),
};

/** A name of a release with as many characters as helm allows. */
export const LONGEST_RELEASE = 'x'.repeat(53);

/** An object of Kubernetes, by what all of them have. */
export interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}

/** True if helm is on this machine: the Go toolchain builds it from its module, and `.ci/run` does so once. */
export const hasHelm = spawnSync('helm', ['version']).error === undefined;

/** Standard output of a command of helm on the chart; throws with what helm says. */
export function helm(args: readonly string[], values: object): string {
  return execFileSync('helm', [...args, CHART, '--values', '-'], {
    input: JSON.stringify(values),
    encoding: 'utf8',
    stdio: 'pipe',
  });
}

/** The objects of the release `shop`, with these values beside `LEAST`. */
export function rendered<Kind extends Resource = Resource>(values: object, release = 'shop'): Kind[] {
  return parseAllDocuments(helm(['template', release], { ...LEAST, ...values }))
    .map((document) => document.toJS() as Kind | null)
    .filter((resource) => resource !== null);
}

/** The values of the example in docs/running.md. */
export function exampleOfDocument(): object {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/running.md'), 'utf8');
  const [, example] = /^cat > values\.yaml <<'END'\n([\s\S]*?)^END$/m.exec(text) ?? [];
  return parse(example ?? '') as object;
}
