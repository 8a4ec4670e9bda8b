import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { transformSync } from '@swc/core';

// `node --import` of this file lets a child process of a test run sources with decorators, without a build.
registerHooks({
  load(url, context, next) {
    if (!url.endsWith('.ts')) return next(url, context);
    const { code } = transformSync(readFileSync(new URL(url), 'utf8'), {
      module: { type: 'es6' },
      jsc: {
        target: 'es2023',
        parser: { syntax: 'typescript', decorators: true },
        transform: { legacyDecorator: true, decoratorMetadata: true },
        keepClassNames: true,
      },
    });
    return { format: 'module', source: code, shortCircuit: true };
  },
});
