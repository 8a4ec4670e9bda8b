import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';

/**
 * Makes an app's process small. For a `main.ts`, before it imports anything else: so it holds wherever an app is
 * started, by an image, by `npm start` or by a test.
 */
export function saveMemory(): void {
  for (const flag of HEAP) setFlagsFromString(flag);
  leaveOut();
}

/**
 * V8 has configured its heap when this runs, but reads these at each collection (ADR 18): new objects have the
 * 1 MB that they begin with, not up to 16 MB in two halves, and all is collected once it is twice what was left.
 */
const HEAP = ['--semi-space-growth-factor=1', '--heap-growing-percent=100'];

/**
 * Replaces what libraries load and no app uses, by their modules in the cache, since they have no setting for it:
 *
 * * TypeORM's drivers of 17 other databases (2.5 MB);
 * * the numbering plans of all countries, for `@IsPhoneNumber` of class-validator (2 MB), which no DTO has.
 */
function leaveOut(): void {
  const require = createRequire(import.meta.url);
  const replace = (file: string, exports: unknown): void => {
    const module = { id: file, filename: file, loaded: true, exports };
    require.cache[file] = module as unknown as NodeJS.Module;
  };
  class DriverFactory {
    create(dataSource: unknown): object {
      const { PostgresDriver } = require('typeorm/driver/postgres/PostgresDriver.js') as {
        PostgresDriver: new (of: unknown) => object;
      };
      return new PostgresDriver(dataSource);
    }
  }
  replace(require.resolve('typeorm/driver/DriverFactory.js'), { DriverFactory });
  replace(createRequire(require.resolve('class-validator')).resolve('libphonenumber-js/max'), {});
}
