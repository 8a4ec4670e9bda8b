// One run on fresh data that leaves nothing behind: on its own servers, or on shared ones with a prefix.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deleteTopics } from '@gondola/local-stack/test-stack';
import { Client } from 'pg';
import { APPS, bringUp, type Gondola, type GondolaOptions, schemaOf } from './gondola.ts';

export type FreshRunOptions = Pick<
  GondolaOptions,
  'reporter' | 'external' | 'logDir' | 'stepTimeoutMs' | 'tenant' | 'env' | 'envOf'
> & {
  /** On shared servers. Default: one of its own. */
  readonly prefix?: string;
};

/** Starts everything on fresh data, plays, and stops everything again, even if the play fails. */
export async function freshRun(options: FreshRunOptions, play: (gondola: Gondola) => Promise<void>): Promise<void> {
  const { external } = options;
  const isShared = Boolean(external.kafkaBrokers || external.databaseUrl);
  const { prefix = isShared ? `demo-${process.pid}-${Date.now().toString(36)}-` : '' } = options;
  const dir = await mkdtemp(join(tmpdir(), 'gondola-demo-'));
  const givenUp = Promise.withResolvers<never>();
  let gondola: Gondola | undefined;
  try {
    gondola = await bringUp({
      ...options,
      dir,
      prefix,
      lasting: false,
      onGivenUp: (sentence) => givenUp.reject(new Error(sentence)),
    });
    await Promise.race([play(gondola), givenUp.promise]);
  } finally {
    await gondola?.stopApps();
    if (gondola && isShared) await forget(gondola, prefix);
    await gondola?.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

async function forget({ stack }: Gondola, prefix: string): Promise<void> {
  await deleteTopics(stack.kafkaBrokers, prefix);
  const client = new Client({ connectionString: stack.databaseUrl });
  await client.connect();
  try {
    for (const app of APPS) await client.query(`DROP SCHEMA IF EXISTS ${schemaOf(prefix, app)} CASCADE`);
  } finally {
    await client.end();
  }
}
