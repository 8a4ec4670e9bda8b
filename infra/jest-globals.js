// `@jest/globals` for suites that jest-runtime.js loads. A test helper is loaded once for many suites: what it imports
// from here is always of the suite that runs.
let globals = {};

export function setGlobals(ofSuite) {
  globals = ofSuite;
}

const ofSuite = (name) =>
  new Proxy(() => {}, {
    get: (_, property) => globals[name][property],
    apply: (_, self, args) => Reflect.apply(globals[name], self, args),
  });

export const describe = ofSuite('describe');
export const it = ofSuite('it');
export const expect = ofSuite('expect');
export const jest = ofSuite('jest');
export const beforeAll = ofSuite('beforeAll');
export const beforeEach = ofSuite('beforeEach');
export const afterAll = ofSuite('afterAll');
export const afterEach = ofSuite('afterEach');
