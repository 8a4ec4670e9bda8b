import { applyDecorators, Controller, HttpCode, SetMetadata, UseGuards, UseInterceptors } from '@nestjs/common';
import { FaultInterceptor, QUEUES } from '../faults/fault.interceptor.ts';
import { Describe, DescribeAll, type Description } from '../openapi/describe.decorator.ts';
import { A_GUID } from '../openapi/schemas.ts';
import { IntegrationGuard } from './integration.guard.ts';

/** Routes of the integration API: protected by credentials and affected by faults. */
export function IntegrationRoutes(prefix = ''): ClassDecorator {
  return applyDecorators(
    Controller(prefix),
    UseGuards(IntegrationGuard),
    UseInterceptors(FaultInterceptor),
    DescribeAll({
      security: ['basic', 'contractAccountId'],
      errors: { 401: 'Credentials or x-contractAccountId are missing or wrong' },
    }),
  );
}

/**
 * Marks a route that only queues: the core carries out faults that refuse it or make it silent. `answer` tells
 * whether the document shows the route's answer; if not, the switch `answersNotShown` decides.
 */
export function Queues(
  answer: 'answer shown' | 'answer not shown',
  described: Description | Readonly<Record<string, Description>>,
): MethodDecorator {
  const document =
    'summary' in described
      ? withAnswer(described as Description)
      : Object.fromEntries(Object.entries(described).map(([path, one]) => [path, withAnswer(one)]));
  return applyDecorators(HttpCode(200), SetMetadata(QUEUES, answer), Describe(document));
}

function withAnswer(description: Description): Description {
  return { answer: { operationId: A_GUID }, ...description };
}

/** The batch routes accept any JSON. */
export function batchOf(summary: string, example: unknown): Description {
  return { summary, body: example, errors: NOT_JSON };
}

export const NOT_JSON = { 400: 'The body is not JSON' };
