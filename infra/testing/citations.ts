/** Finds citations of the documents in code, tests and documents, and reports those that do not resolve. */

export interface CitedDocuments {
  /** Headings of `docs/contract.md`. */
  readonly contract: ReadonlySet<string>;
  /** Headings of `docs/platform.md`. */
  readonly platform: ReadonlySet<string>;
  /** Numbers of the rules, and of the guarantees, that `docs/rules.md` defines. */
  readonly rules: ReadonlySet<number>;
  readonly guarantees: ReadonlySet<number>;
}

const NUMBERS = /\b(rule|guarantee)s? (\d+(?:(?:, | and |, and | to )\d+)*)/g;
const SECTIONS = /(?:\bcontract|docs\/(contract|platform)\.md),\s+(?:\*\s+)?"([^"]+)"/g;
/** A line break inside a comment or a paragraph. */
const WRAP = /\s*\n\s*(?:(?:\*|\/\/)\s+)?/g;
/** Documents outside this repository. */
const FOREIGN = /\b(?:platform-api|design|style|stack)\.md\b/g;

/** Headings of a Markdown text, without their marks. */
export function headingsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!.trim());
}

/** Numbers of headings such as `Rule 7` or `Guarantee 2: …`. */
export function numbersOf(headings: readonly string[], word: 'Rule' | 'Guarantee'): Set<number> {
  return new Set(headings.map((heading) => Number(new RegExp(`^${word} (\\d+)`).exec(heading)?.[1])).filter(Boolean));
}

/** Unresolved citations of a text, each as a sentence with its line. */
export function deadCitations(file: string, text: string, documents: CitedDocuments): string[] {
  const { contract, platform, rules, guarantees } = documents;
  const at = (index: number): string => `${file}:${text.slice(0, index).split('\n').length}`;
  const dead: string[] = [];
  for (const { index, 1: word, 2: list } of text.matchAll(NUMBERS)) {
    const known = word === 'rule' ? rules : guarantees;
    for (const number of list!.match(/\d+/g)!.map(Number)) {
      if (!known.has(number)) dead.push(`${at(index)}: docs/rules.md has no ${word} ${number}`);
    }
  }
  for (const { index, 1: document = 'contract', 2: cited } of text.matchAll(SECTIONS)) {
    const known = document === 'platform' ? platform : contract;
    const section = cited!.replaceAll(WRAP, ' ');
    if (!known.has(section)) dead.push(`${at(index)}: docs/${document}.md has no section "${section}"`);
  }
  for (const { index, 0: name } of text.matchAll(FOREIGN)) dead.push(`${at(index)}: ${name} is not in this repository`);
  return dead;
}
