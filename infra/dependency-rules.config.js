// Rules for imports. dependency-rules.unit.spec.ts checks them: it plants one violation of each rule and expects it
// to be found.
const pureLibraries =
  '/node_modules/(zod|class-validator|class-transformer|big\\.js|@types/big\\.js|fastest-levenshtein)/|^node_modules/(zod|class-validator|class-transformer|big\\.js|@types/big\\.js|fastest-levenshtein)/';
const pureCore = '^(node:)?(buffer|crypto)$';
const spec = '\\.spec\\.ts$|/testing/';

export default {
  forbidden: [
    {
      name: 'no-import-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-app-imports-an-app',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'no-package-imports-an-app',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^(apps|demo|infra)/' },
    },
    {
      name: 'shared-is-pure',
      comment: 'No Nest, TypeORM, kafkajs or Node I/O in packages/shared; BlockList and isIP of node:net only compute',
      severity: 'error',
      from: { path: '^packages/shared/src/', pathNot: [spec, '/reachable-address[.]ts$'] },
      to: { pathNot: ['^packages/shared/src/', pureLibraries, pureCore] },
    },
    {
      name: 'a-file-without-a-suffix-is-pure',
      comment:
        'rates.ts, and not rates.service.ts: it imports its like, packages/shared and pure libraries; types of any file',
      severity: 'error',
      from: { path: '^apps/([^/]+)/src/.+/[^/.]+[.]ts$', pathNot: spec },
      to: {
        pathNot: ['^apps/$1/src/.+/[^/.]+[.]ts$', '^packages/shared/src/', pureLibraries, pureCore],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'kafkajs-is-fenced',
      comment: 'Only packages/kafka knows kafkajs, so that another client is one package; tests may use it',
      severity: 'error',
      from: {
        path: '^(apps|packages)/',
        pathNot: ['^packages/kafka/src/', '^packages/local-stack/', spec, '/test/'],
      },
      to: { path: '(^|/)kafkajs(/|$)' },
    },
    {
      name: 'sandbox-is-independent',
      comment: 'The sandbox has its own reading of the platform, so that the two can disagree',
      severity: 'error',
      from: { path: '^apps/platform-sandbox/' },
      to: { path: '^packages/(platform-client|shared|kafka|lanes|operations)/' },
    },
    {
      name: 'the-erp-knows-only-the-contract',
      severity: 'error',
      from: { path: '^demo/erp/' },
      to: { path: '^(apps|packages|infra)/' },
    },
    {
      name: 'only-the-comparison-of-tables-looks-into-an-app',
      comment: 'infra and demo meet apps as processes; one spec holds two readings of one document against each other',
      severity: 'error',
      from: { path: '^(demo|infra)/', pathNot: '^infra/platform-tables[.]unit[.]spec[.]ts$' },
      to: { path: '^apps/' },
    },
    {
      name: 'everything-resolves',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    // The parser does not know `using`, which specs of the local stack use.
    exclude: {
      path: '(^|/)(dist|test-results)/|^packages/local-stack/src/.*[.]spec[.]ts$|^packages/local-stack/src/testing/',
    },
    enhancedResolveOptions: {
      conditionNames: ['gondola-source', 'import', 'node', 'default', 'types'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.js', '.d.ts'],
    },
  },
};
