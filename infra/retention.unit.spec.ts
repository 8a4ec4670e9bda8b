import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { DAY_MS } from '@gondola/shared/durations';
import { TOPIC_NAMES, type TopicName, topicSpec } from '@gondola/shared/topics/topics';

const ROOT = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
/** The rows of each section of docs/retention.md: the names in the first cell, and the second cell. */
const sections = new Map(
  read('docs/retention.md')
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), rowsOf(section)]),
);

describe('docs/retention.md', () => {
  it('has each table that the migrations of each part create, and no other', () => {
    // The sandbox is no part of the connector.
    const files = execFileSync('git', ['ls-files', '*.migration.ts'], { cwd: ROOT, encoding: 'utf8' })
      .split('\n')
      .filter((file) => file !== '' && !file.includes('platform-sandbox'));
    const created = Map.groupBy(files, (file) => file.split('/')[1]!);
    expect([...sections.keys()].filter((name) => name !== 'Topics').toSorted()).toEqual([...created.keys()].toSorted());
    for (const [part, migrations] of created) {
      const tables = migrations.flatMap((file) => [...read(file).matchAll(/CREATE TABLE (\w+)/g)]);
      const named = [...sections.get(part)!.keys()].toSorted();
      expect({ part, tables: named }).toEqual({ part, tables: tables.map(([, table]) => table!).toSorted() });
    }
  });

  it('has each topic with the retention that it is created with', () => {
    const told = sections.get('Topics')!;
    expect([...told.keys()].toSorted()).toEqual(TOPIC_NAMES.toSorted());
    for (const name of TOPIC_NAMES) expect(`${name}: ${told.get(name)}`).toMatch(new RegExp(`: ${retentionOf(name)}`));
  });

  it('says until when each row stays', () => {
    expect([...sections.values()].flatMap((rows) => [...rows.values()]).filter((until) => until === '')).toEqual([]);
  });
});

function retentionOf(name: TopicName): string {
  const { retentionMs } = topicSpec(name);
  return retentionMs === null ? 'compacted' : `${retentionMs / DAY_MS} days`;
}

function rowsOf(section: string): ReadonlyMap<string, string> {
  const rows = [...section.matchAll(/^\| (`[^|]*) \| ([^|]*) \|/gm)];
  return new Map(
    rows.flatMap(([, names, until]) => [...names!.matchAll(/`([^`]+)`/g)].map(([, name]) => [name!, until!.trim()])),
  );
}
