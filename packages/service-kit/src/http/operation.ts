import { ModulesContainer } from '@nestjs/core';
import type { INestApplication, Type } from '@nestjs/common';
import { ApiExtension } from './api-docs.ts';

/**
 * Place of the tenant of a call:
 * - `query`, `body`: the field `tenant` of the query or of the JSON body. Without it the app takes the only tenant, or
 *   all; with several tenants the operator then needs the role on each.
 * - `answer`: the field `tenant` of the answer, which is read before it is shown.
 * - `at`: the field `tenant` of the item that a GET of this path answers, which is asked for before the call.
 */
export type TenantPlace = 'query' | 'body' | 'answer' | { readonly at: string };

/** A route of an operations API, as the console passes it on to an operator. */
export interface PassedOperation {
  readonly role: 'see' | 'act';
  readonly tenant: TenantPlace;
  /**
   * Parameter of the query that, if `true`, shows the personal fields of the answer: it needs the role `act`, and is
   * recorded and counted. `unmasked` is the console's own; the app itself knows the others, and holds data back without
   * them. `always`: the route is there to show them.
   */
  readonly reveals?: 'reveal' | 'body' | 'unmasked' | 'always';
  /** `file`: the body is an image or a PDF, and not JSON. */
  readonly takes?: 'file';
  /** Name under which the call is recorded, and the parameter or field that names its subject. */
  readonly action?: { readonly name: string; readonly subject?: string };
}

/** A route of an operations API: who may call it for which shop, or why the console does not pass it on. */
export type OperationDefinition = PassedOperation | { readonly unpassed: string };

/** Member of an operation in the OpenAPI document, from which the console's table of routes follows. */
export const OPERATION_MEMBER = 'x-operation';

/** A route as the command line calls it. */
export interface CommandRoute {
  /**
   * Name after `gondola`. A command of several routes has a word for each but the first, and commands that share one
   * have the name of their group: `orders show/details`, `files/give`.
   */
  readonly name: string;
  /** Sentence of the command's help. */
  readonly say?: { readonly pt: string; readonly en: string };
}

/** Member of an operation in the OpenAPI document, from which the command line's table of routes follows. */
export const COMMAND_MEMBER = 'x-command';

const DEFINED = Symbol('operation');

/** Defines a route of an operations API, below its `@Get` or `@Post`. An app with a route without it does not start. */
export function Operation(definition: OperationDefinition): MethodDecorator {
  const extend = ApiExtension(OPERATION_MEMBER, definition);
  return (target, key, descriptor) => {
    Reflect.defineMetadata(DEFINED, true, descriptor.value as object);
    extend(target, key, descriptor);
  };
}

/** Names the command of `gondola` that calls a route, below its `@Operation`, and says what it does. */
export function CommandLine(name: CommandRoute['name'], say?: CommandRoute['say']): MethodDecorator {
  return ApiExtension(COMMAND_MEMBER, { name, ...(say !== undefined && { say }) } satisfies CommandRoute);
}

/**
 * Throws an error that names each route of a controller below `/api` that no `@Operation` defines. A route outside Nest
 * has its definition in the app's `OpenApiPart`; the console's `every-route.e2e.spec.ts` finds one without it.
 */
export function checkOperations(nest: INestApplication): void {
  const controllers = [...nest.get(ModulesContainer).values()].flatMap((module) => [...module.controllers.values()]);
  const missing = controllers.flatMap(({ metatype }) => undefinedRoutes(metatype as Type));
  if (missing.length > 0) throw new Error(`Routes without @Operation: ${missing.join(', ')}`);
}

function undefinedRoutes(controller: Type): string[] {
  const prototype = controller.prototype as Readonly<Record<string, unknown>>;
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const handler = prototype[name];
    if (typeof handler !== 'function' || name === 'constructor') return [];
    const parts = [controller, handler].flatMap((of) => (Reflect.getMetadata('path', of) as string | undefined) ?? []);
    const [first] = parts.join('/').split('/').filter(Boolean);
    const isOperation = parts.length === 2 && first === 'api';
    return isOperation && !Reflect.hasMetadata(DEFINED, handler) ? [`${controller.name}.${name}`] : [];
  });
}
