import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { checkRecord, ERP_TOPICS } from '@gondola/shared/records/check-record';
import { describe, expect, it } from '@jest/globals';
import { GUIDES, pageOf, slugOfHeading } from './guide-page.ts';

const UNITS = { UN: 'Un', KG: 'Kg' } as const;
const LEAST_RECORDS = { erp: 10, pictures: 4 } as const;

describe.each(GUIDES)('the guide $name for ERP developers in $language', (guide) => {
  it('has a page of all its sections, which fetches nothing', async () => {
    const page = await pageOf(guide);
    const sections = headings(await readFile(guide.markdown, 'utf8'));
    expect([...page.matchAll(/<h\d id="([^"]*)"/g)].map(([, id]) => id)).toEqual(sections.map(slugOfHeading));
    expect(page).not.toMatch(/<script|<link|<img|@import|url\(/);
  });

  it('has links that lead somewhere', async () => {
    const text = await readFile(guide.markdown, 'utf8');
    const dead: string[] = [];
    for (const link of linksOf(text)) {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? guide.markdown : new URL(path, guide.markdown);
      if (!existsSync(target)) dead.push(link);
      else if (anchor !== undefined && !(await anchorsIn(target)).includes(decodeURIComponent(anchor))) dead.push(link);
    }
    expect(dead).toEqual([]);
  });

  it('shows records that the apps find valid', async () => {
    const records = recordsOf(await readFile(guide.markdown, 'utf8'));
    expect(records.length).toBeGreaterThanOrEqual(LEAST_RECORDS[guide.name]);
    for (const { topic, isNew, text } of records) {
      const known = ERP_TOPICS.find((name) => name === topic);
      expect({ topic, known }).toEqual({ topic, known: topic });
      const checked = checkRecord(known!, new TextEncoder().encode(text), {
        language: 'en',
        mode: isNew ? 'create' : 'update',
        units: UNITS,
      });
      expect({ text, errors: checked.errors }).toEqual({ text, errors: [] });
    }
  });
});

describe.each(['erp', 'pictures'] as const)('the guide %s', (name) => {
  it('shows the same records in each language, and has as many sections', async () => {
    const guides = GUIDES.filter((guide) => guide.name === name);
    const texts = await Promise.all(guides.map(({ markdown }) => readFile(markdown, 'utf8')));
    const [one, other] = texts.map((text) => recordsOf(text).map((record) => record.text));
    expect(one).toEqual(other);
    const [sections, others] = texts.map((text) => headings(text).length);
    expect(sections).toBe(others);
  });
});

async function anchorsIn(file: URL): Promise<string[]> {
  return headings(await readFile(file, 'utf8')).map((heading) => slugOfHeading(heading));
}

function headings(markdown: string): string[] {
  return [...markdown.replaceAll(/```.*?```/gs, '').matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!);
}

/** Link targets of a Markdown text, except those in code. */
function linksOf(markdown: string): string[] {
  return [...markdown.replaceAll(/```.*?```/gs, '').matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);
}

/** Records of a guide, each with the topic of its code fence and whether it creates the entity that it names. */
function recordsOf(markdown: string): { readonly topic: string; readonly isNew: boolean; readonly text: string }[] {
  return [...markdown.matchAll(/^```json (\S+)( create)?\n(.*?)^```$/gms)].map(([, topic, create, text]) => ({
    topic: topic!,
    isNew: create !== undefined,
    text: text!,
  }));
}
