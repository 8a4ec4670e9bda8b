import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MESSAGING_OPTIONS, type MessagingOptions } from '@gondola/kafka/client/messaging-options';
import { readUnstartedApps } from '@gondola/service-kit/testing/unstarted-apps';
import { TOPIC_NAMES, type TopicName, topicSpec } from '@gondola/shared/topics/topics';
import { describe, expect, it } from '@jest/globals';

const CONSUMERS = ['catalog-publisher', 'order-command-handler', 'file-gateway'] as const;
const APPS = ['webhook-ingest', ...CONSUMERS] as const;
const RUNNING = readFileSync(join(import.meta.dirname, '../docs/running.md'), 'utf8');

const sorted = (names: readonly string[]): string[] => names.toSorted((one, other) => one.localeCompare(other));

/** The topics that the list of rights names for an app: those that it reads, and those that it writes. */
function documented(app: string): string[][] {
  const [, after = ''] = RUNNING.split(`\n* \`${app}\`\n`);
  const [entry = ''] = after.split(/\n(?! )/);
  return ['reads', 'writes'].map((side) => {
    const [, names = ''] = new RegExp(`^ +\\* ${side} ((?:.|\\n(?! +\\*))*)`, 'm').exec(entry) ?? [];
    return sorted([...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name!));
  });
}

describe('the rights that each app needs on Kafka', () => {
  it.each(APPS)('of %s stand in the documents as in the catalog of topics', (app) => {
    const of = (side: 'readers' | 'writers') => TOPIC_NAMES.filter((name) => topicSpec(name)[side].includes(app));
    expect(documented(app)).toEqual([sorted(of('readers')), sorted(of('writers'))]);
  });

  it('are those of the topics that it uses', async () => {
    const apps = new URL('../apps/', import.meta.url);
    const used = await readUnstartedApps(apps, CONSUMERS, (app, name) => {
      const { reads, writes } = app.get<MessagingOptions>(MESSAGING_OPTIONS, { strict: false });
      const written: TopicName[] = [...writes, 'dead-letters.v1'];
      return [name, sorted(reads), sorted(written.filter((topic) => !reads.includes(topic)))];
    });
    expect(used).toEqual(
      CONSUMERS.map((name) => {
        const [reads, writes] = documented(name);
        return [name, reads, writes];
      }),
    );
  });
});
