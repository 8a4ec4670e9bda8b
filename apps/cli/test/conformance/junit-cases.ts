/** A case of a JUnit report. */
export interface JunitCase {
  readonly name: string;
  /** `ok`, `failure` or `skipped`. */
  readonly kind: string;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };
const TEXT = '((?:[^<>&"]|&(?:amp|lt|gt|quot);)*)';
const CASE = new RegExp(
  `^ {4}<testcase classname="${TEXT}" name="${TEXT}" time="[0-9.]+">(?:<(failure|skipped) message="${TEXT}"/>)?</testcase>$`,
);
const SUITE = /^ {2}<testsuite name="[^<>&"]+" tests="(\d+)" failures="(\d+)" errors="0" skipped="(\d+)">$/;

/** Reads a report strictly, and throws at the first line that is no well-formed part of it, or if a count is wrong. */
export function casesOf(xml: string): JunitCase[] {
  const [head, suites, suite = '', ...rest] = xml.trimEnd().split('\n');
  const counts = SUITE.exec(suite)?.slice(1).map(Number);
  if (head !== '<?xml version="1.0" encoding="UTF-8"?>' || !suites?.startsWith('<testsuites ') || counts === undefined)
    throw new Error(`This is no head of a report: ${head}`);
  if (rest.slice(-2).join() !== '  </testsuite>,</testsuites>') throw new Error('The report does not end');
  const cases = rest.slice(0, -2).map((line) => {
    const [, section = '', statement = '', kind = 'ok'] = CASE.exec(line) ?? [];
    if (section === '') throw new Error(`This is no case: ${line}`);
    return { name: plain(`${section}: ${statement}`), kind };
  });
  const ofKind = (kind: string): number => cases.filter((each) => each.kind === kind).length;
  if (counts.join() !== [cases.length, ofKind('failure'), ofKind('skipped')].join())
    throw new Error('A count is wrong');
  return cases;
}

function plain(text: string): string {
  return text.replaceAll(/&(\w+);/g, (_, name: string) => ENTITIES[name] ?? '');
}
