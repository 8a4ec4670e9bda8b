import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CONTRACT_FOLDER } from '../contract-files.ts';

const execute = promisify(execFile);
const HERE = import.meta.dirname;
const ROOT = join(HERE, '../../..');
const SCHEMAS = fileURLToPath(new URL('schemas/', CONTRACT_FOLDER));
const ASYNC_API = fileURLToPath(new URL('asyncapi.yaml', CONTRACT_FOLDER));
const ONE_MEGABYTE = 1024 * 1024;

/** A recorded record: its file, and the name of its schema. */
export interface Recorded {
  readonly path: string;
  readonly schema: string;
}

/** A generator of classes, with a program that reads records into its classes and writes them again. */
export interface Generator {
  readonly name: string;
  /** A program or package that the machine lacks; null if all is there. */
  readonly missing: string | null;
  /** Reads each record into the class of its schema, and writes it into `written`. Throws with what was not read. */
  readonly readAll: (records: readonly Recorded[], folder: string, written: string) => Promise<void>;
  /** Schemas whose records it reads and writes; all if absent. */
  readonly schemas?: RegExp;
}

export const GENERATORS: readonly Generator[] = [
  { name: 'json-schema-to-typescript', missing: lacking('json2ts'), readAll: byTypeScript },
  { name: 'datamodel-code-generator', missing: lackingPython('datamodel_code_generator'), readAll: byPython },
  { name: 'go-jsonschema', missing: lacking('go') ?? lacking('go-jsonschema'), readAll: byGo },
  {
    name: '@asyncapi/modelina',
    missing: lacking('mvn') ?? lackingGlobal('@asyncapi/modelina'),
    readAll: byJava,
    // The document has one schema for a brand or product, not that of its creation.
    schemas: /^(?!.*\.create\.)/,
  },
];

/** Types: a record is a value of its type, or the program does not compile. It is written as it is. */
async function byTypeScript(records: readonly Recorded[], folder: string, written: string): Promise<void> {
  await run('json2ts', ['--cwd', SCHEMAS, '-i', SCHEMAS, '-o', folder]);
  const lines = await Promise.all(
    records.map(async ({ path, schema }, index) => {
      const text = await readFile(path, 'utf8');
      await writeFile(join(written, basename(path)), text);
      return `// ${basename(path)}
import type { ${titleCase(schema)} as T${index} } from './${schema}.schema.d.ts';
export const r${index}: T${index} = ${text};`;
    }),
  );
  await writeFile(join(folder, 'records.ts'), lines.join('\n'));
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--allowImportingTsExtensions', '--module', 'nodenext'];
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  await run(process.execPath, [tsc, ...options, join(folder, 'records.ts')], folder);
}

async function byPython(records: readonly Recorded[], folder: string, written: string): Promise<void> {
  await run('python3', [join(HERE, 'read_all.py'), SCHEMAS, folder, written, await listOf(records, folder)]);
}

async function byGo(records: readonly Recorded[], folder: string, written: string): Promise<void> {
  const schemas = [...new Set(records.map(({ schema }) => schema))];
  for (const schema of schemas) {
    const name = plain(schema);
    await mkdir(join(folder, name));
    const target = join(folder, name, `${name}.go`);
    await run('go-jsonschema', ['-p', name, '--tags', 'json', '-o', target, join(SCHEMAS, `${schema}.schema.json`)]);
  }
  const readers = schemas.map((schema) => `"${schema}": read[${plain(schema)}.${titleCase(schema)}SchemaJson],`);
  const imports = schemas.map((schema) => `"records/${plain(schema)}"`);
  const source = (await readFile(join(HERE, 'read_all.go.txt'), 'utf8'))
    .replace('// IMPORTS', imports.join('\n'))
    .replace('// READERS', readers.join('\n'));
  await writeFile(join(folder, 'main.go'), source);
  await run('go', ['mod', 'init', 'records'], folder);
  await run('go', ['mod', 'tidy'], folder);
  await run('go', ['run', '.', await listOf(records, folder), written], folder);
}

async function byJava(records: readonly Recorded[], folder: string, written: string): Promise<void> {
  await run(process.execPath, [join(HERE, 'modelina.mjs'), globalFolder(), ASYNC_API, join(folder, 'records')]);
  await writeFile(join(folder, 'pom.xml'), await readFile(join(HERE, 'jackson-pom.xml')));
  await run('mvn', ['-q', 'dependency:copy-dependencies', '-DoutputDirectory=libs'], folder);
  const sources = (await readdir(join(folder, 'records'))).map((file) => join('records', file));
  await run('javac', ['-cp', 'libs/*', '-d', 'classes', join(HERE, 'ReadAll.java'), ...sources], folder);
  await run('java', ['-cp', 'libs/*:classes', 'ReadAll', await listOf(records, folder), written], folder);
}

/** A file with a line for each record: the name of its schema and its path. */
async function listOf(records: readonly Recorded[], folder: string): Promise<string> {
  const list = join(folder, 'records.txt');
  await writeFile(list, records.map(({ schema, path }) => `${schema} ${path}\n`).join(''));
  return list;
}

/** Runs a program; what it prints is the message of its failure. */
async function run(program: string, args: readonly string[], cwd?: string): Promise<void> {
  try {
    await execute(program, args, { ...(cwd !== undefined && { cwd }), maxBuffer: 64 * ONE_MEGABYTE });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} failed:\n${stdout}${stderr}`, { cause: error });
  }
}

function plain(schema: string): string {
  return schema.replaceAll(/[.-]/g, '_').toLowerCase();
}

/** `OrderEventV1` of `order-event.v1`. */
function titleCase(schema: string): string {
  return schema
    .split(/[.-]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

function lacking(program: string): string | null {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0 ? null : program;
}

function lackingPython(module: string): string | null {
  return spawnSync('python3', ['-c', `import ${module}`]).status === 0 ? null : module;
}

function lackingGlobal(name: string): string | null {
  return existsSync(join(globalFolder(), name)) ? null : name;
}

/** Folder of the packages that are installed for all of the machine. */
function globalFolder(): string {
  return spawnSync('npm', ['root', '-g'], { encoding: 'utf8' }).stdout.trim();
}
