import { EXIT, line, type Report } from '../output/report.ts';
import { filled, type Say, type Words } from '../texts/texts.ts';
import type { CheckResult, Verdict } from './check.ts';

const WORDS = {
  held: { pt: 'ok     ', en: 'ok     ' },
  failed: { pt: 'FALHOU ', en: 'FAILED ' },
  skipped: { pt: 'pulado ', en: 'skipped' },
  expected: { pt: 'esperado', en: 'expected' },
  seen: { pt: 'visto', en: 'seen' },
  counts: {
    pt: '{held} valem, {failed} falharam, {skipped} foram puladas.',
    en: '{held} held, {failed} failed, {skipped} were skipped.',
  },
  unchecked: {
    pt: '{unchecked} frases do documento não se conferem de fora (--json lista todas).',
    en: '{unchecked} statements of the document are not asked from outside (--json lists them).',
  },
} as const;

function countsOf(results: readonly CheckResult[]) {
  const count = (kind: Verdict['kind']): number => results.filter(({ verdict }) => verdict.kind === kind).length;
  return { held: count('held'), failed: count('failed'), skipped: count('skipped') };
}

/** Results as a test runner prints them: a line for each statement, and the counts. */
export function checksReport(results: readonly CheckResult[], unchecked: readonly string[], say: Say): Report {
  const counts: Readonly<Record<string, number>> = { ...countsOf(results), unchecked: unchecked.length };
  const lines = results.map(({ section, statement, verdict }) => {
    const first = `${say(WORDS[verdict.kind])}  ${section}: ${statement}`;
    if (verdict.kind === 'held') return first;
    const { expected, seen, why } = { expected: '', seen: '', why: '', ...verdict };
    const found = `${say(WORDS.expected)}: ${expected}; ${say(WORDS.seen)}: ${seen}`;
    return `${first}\n           ${verdict.kind === 'failed' ? found : why}`;
  });
  const statements = results.map(({ section, statement, verdict }) => ({ section, statement, ...verdict }));
  const said = unchecked.length === 0 ? [WORDS.counts] : [WORDS.counts, WORDS.unchecked];
  const summary = said.map((words) => line(filled(say<Words>(words), (name) => counts[name])));
  return {
    json: { ...counts, statements, notAsked: unchecked },
    blocks: [{ kind: 'content', text: lines.join('\n') }, ...summary],
    notes: [],
    exit: counts['failed'] === 0 ? EXIT.done : EXIT.failed,
  };
}

/** Results as JUnit's XML, which CI servers read: a case for each statement. */
export function junitXml(suite: string, results: readonly CheckResult[]): string {
  const { failed, skipped } = countsOf(results);
  const counts = `tests="${results.length}" failures="${failed}" errors="0" skipped="${skipped}"`;
  const cases = results.map(({ section, statement, verdict, seconds }) => {
    const names = `classname="${escaped(section)}" name="${escaped(statement)}" time="${seconds.toFixed(3)}"`;
    return `    <testcase ${names}>${outcome(verdict)}</testcase>\n`;
  });
  const body = `  <testsuite name="${escaped(suite)}" ${counts}>\n${cases.join('')}  </testsuite>\n`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${counts}>\n${body}</testsuites>\n`;
}

function outcome(verdict: Verdict): string {
  if (verdict.kind === 'held') return '';
  if (verdict.kind === 'skipped') return `<skipped message="${escaped(verdict.why)}"/>`;
  return `<failure message="${escaped(`expected: ${verdict.expected}; seen: ${verdict.seen}`)}"/>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML 1.0 has no form for most control characters and for lone surrogates: they are replaced. */
function escaped(text: string): string {
  const line = text.toWellFormed().replaceAll(/\s/g, ' ');
  const allowed = line.replaceAll(/[^\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD');
  return allowed.replaceAll(/[&<>"]/g, (char) => ENTITIES[char] ?? char);
}
