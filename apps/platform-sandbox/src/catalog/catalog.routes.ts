import type { Core } from '../core/core.service.ts';
import { batchBody } from '../http/body.ts';
import { route, type AnyRoute } from '../http/route.ts';
import { BRAND_FIELDS } from './brand.ts';
import { CATEGORY_FIELDS } from './category.ts';
import { schemaOfFields } from './field-rules.ts';

const NOT_JSON = { 400: 'The body is not JSON' };
const ANSWER = { operationId: '11111111-1111-4111-8111-111111111111' };

/** docs/platform.md, "Catalog". Any JSON is accepted; the schemas show what the core takes. */
export function catalogRoutes(core: Core): AnyRoute[] {
  const common = { access: 'merchant', answer: ANSWER, errors: NOT_JSON } as const;
  return [
    route({
      ...common,
      method: 'POST',
      path: '/v1/batch/Brands',
      queues: 'answer shown',
      summary: 'Brands',
      bodySchema: { type: 'array', items: schemaOfFields(BRAND_FIELDS) },
      example: [
        {
          externalReference: 'queijaria',
          name: 'Queijaria',
          title: 'Queijaria',
          description: 'Queijos',
          punctuation: 5,
        },
      ],
      handle: ({ request, caller }) => core.accept(caller, 'brand', batchBody(request)),
    }),
    route({
      ...common,
      method: 'DELETE',
      path: '/v1/batch/Brands',
      queues: 'answer not shown',
      summary: 'Removes brands by their references',
      example: ['queijaria'],
      handle: ({ request, caller }) => core.accept(caller, 'brand-removal', batchBody(request)),
    }),
    route({
      ...common,
      method: 'POST',
      path: '/v1/batch/Categories',
      queues: 'answer shown',
      summary: 'Categories, as trees',
      bodySchema: { type: 'array', items: categorySchema() },
      example: [
        { externalReference: 'frios', name: 'Frios', children: [{ externalReference: 'queijos', name: 'Queijos' }] },
      ],
      handle: ({ request, caller }) => core.accept(caller, 'category-tree', batchBody(request)),
    }),
  ];
}

function categorySchema(): object {
  const { properties, ...schema } = schemaOfFields(CATEGORY_FIELDS);
  const children = { type: ['array', 'null'], items: { type: 'object', description: 'A category below this one' } };
  return { ...schema, properties: { ...properties, parentExternalReference: { type: ['string', 'null'] }, children } };
}
