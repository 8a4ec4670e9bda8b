import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { RequestMethod } from '@nestjs/common';
import { AppModule } from '../app.module.ts';
import { controllersOf, routeDocument } from './route-document.adapter.ts';

const { paths: PATHS } = routeDocument(AppModule);
/** Both stand for paths that are described separately. */
const WILDCARDS: Readonly<Record<string, string>> = {
  '/v1/orders/*': '/v1/orders/',
  '/v1/batch/*': '/v1/batch/Pricing',
};

/** Every handler of every controller, in the form `POST /admin/orders/{number}/status`. */
function routes(): string[] {
  const found = new Set<string>();
  for (const controller of controllersOf(AppModule)) {
    const prefixes = [Reflect.getMetadata('path', controller) as string | string[]].flat();
    const handlers = Object.entries(Object.getOwnPropertyDescriptors(controller.prototype));
    for (const [name, { value }] of handlers) {
      if (name === 'constructor' || !Reflect.hasMetadata('method', value as object)) continue;
      const method = RequestMethod[Reflect.getMetadata('method', value as object) as number] ?? '';
      const paths = [Reflect.getMetadata('path', value as object) as string | string[]].flat();
      for (const prefix of prefixes) for (const path of paths) found.add(`${method} ${documented(prefix, path)}`);
    }
  }
  return [...found].toSorted();
}

function documented(prefix: string, path: string): string {
  const parts = [prefix, path].map((part) => part.replaceAll(/^\/+|\/+$/g, '')).filter((part) => part !== '');
  const whole = `/${parts.join('/')}`.replaceAll(/:(\w+)/g, '{$1}');
  return WILDCARDS[whole] ?? whole;
}

describe('the OpenAPI document of the sandbox', () => {
  it('lists every route and no other', () => {
    const listed = Object.entries(PATHS).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(listed.toSorted()).toEqual(routes());
  });

  it('has a summary and examples of body and answer for each call', () => {
    for (const [path, methods] of Object.entries(PATHS)) {
      for (const [method, { summary, requestBody, responses }] of Object.entries(methods) as [string, Operation][]) {
        const good = Object.entries(responses).flatMap(([status, body]) => (Number(status) < 400 ? [body] : []));
        const contents = [requestBody, ...good].flatMap((body) => body?.content?.['application/json'] ?? []);
        const examples = contents.map((content) => 'example' in content);
        expect([method, path, summary.length > 3, ...examples]).not.toContain(false);
      }
    }
  });

  it('documents the answer 413 for every call with a body', () => {
    for (const [path, methods] of Object.entries(PATHS)) {
      for (const [method, { requestBody, responses }] of Object.entries(methods) as [string, Operation][]) {
        expect([method, path, '413' in responses]).toEqual([method, path, requestBody !== undefined]);
      }
    }
  });

  it('names each variable of a path as a parameter', () => {
    for (const [path, methods] of Object.entries(PATHS)) {
      for (const operation of Object.values(methods) as Operation[]) {
        const named = (operation.parameters ?? []).filter((one) => one.in === 'path').map(({ name }) => name);
        expect([path, named]).toEqual([path, [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)]);
      }
    }
  });
});

interface Operation {
  summary: string;
  parameters?: { name: string; in: string }[];
  requestBody?: Body;
  responses: Record<string, Body>;
}

interface Body {
  content?: { 'application/json'?: { schema: object } };
}
