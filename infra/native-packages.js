// A transformer for Jest that puts in a package's place what Node.js itself loaded, once for all suites of a Jest
// process: Jest would read and run its hundreds of files anew for each suite, which took a quarter of the processor
// time of the suites that use a database. Its objects are of Node.js's own realm, so only packages are listed whose
// objects nobody compares or asks `instanceof` of a built-in class: not pg's rows, kafkajs's errors, Fastify's bodies.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const PACKAGES = [
  '@nestjs/(common|core|microservices)',
  '@microsoft/tsdoc',
  'class-transformer',
  'class-validator',
  'es-toolkit',
  'reflect-metadata',
  'rxjs',
  'typeorm',
];

/** Matches a path in one of the packages. */
export const NATIVE_PACKAGES = `/node_modules/(${PACKAGES.join('|')})/`;
/** Matches a path in any other package. */
export const OTHER_PACKAGES = `/node_modules/(?!(${PACKAGES.join('|')})/)`;

const require = createRequire(import.meta.url);
// What a package exports may change with a version although its main file stays the same.
const versions = readFileSync(new URL('../package-lock.json', import.meta.url));

export default {
  process(_source, file, { supportsStaticESM }) {
    const load = `requireNatively(${JSON.stringify(file)})`;
    if (!supportsStaticESM) return { code: `module.exports = ${load};` };
    const names = Object.keys(require(file)).filter((name) => /^\w+$/.test(name) && name !== 'default');
    return { code: `const native = ${load};\nexport default native.default;\n${names.map(exported).join('')}` };
  },
  getCacheKey(_source, file, { supportsStaticESM }) {
    return createHash('sha256').update(`${file}\0${supportsStaticESM}\0`).update(versions).digest('hex');
  },
};

function exported(name) {
  return `const _${name} = native.${name};\nexport { _${name} as ${name} };\n`;
}
