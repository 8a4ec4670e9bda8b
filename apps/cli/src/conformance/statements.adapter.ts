import { readFile } from 'node:fs/promises';

/** The one home of the statements. The command line is part of the repository, and so is the sandbox. */
const DOCUMENT = new URL('../../../platform-sandbox/CONFORMANCE.md', import.meta.url);

/** Statements in the tables of CONFORMANCE.md, each after the heading above it. */
export async function readStatements(): Promise<string[]> {
  let section = '';
  return (await readFile(DOCUMENT, 'utf8')).split('\n').flatMap((line) => {
    section = /^##+ (.*)$/.exec(line)?.[1] ?? section;
    const statement = /^\| (.*?) \|/.exec(line)?.[1];
    return statement === undefined || statement === 'statement' ? [] : [`${section}: ${statement}`];
  });
}
