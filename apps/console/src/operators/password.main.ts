import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { hashPassword } from './password-hash.adapter.ts';

/** `npm run password -w @gondola/console`: asks for a password, shows none of it, and prints its hash. */
const LEAST_LENGTH = 12;
const isTerminal = process.stdin.isTTY;
if (isTerminal) process.stderr.write('Senha / Password: ');
const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
const lines = createInterface({ input: process.stdin, output: silent, terminal: isTerminal });
const { value = '' } = await lines[Symbol.asyncIterator]().next();
lines.close();
if (isTerminal) process.stderr.write('\n');
if (value.length < LEAST_LENGTH) {
  process.stderr.write(`${LEAST_LENGTH} caracteres ou mais / ${LEAST_LENGTH} characters or more\n`);
  process.exitCode = 1;
} else {
  process.stdout.write(`${await hashPassword(value)}\n`);
}
