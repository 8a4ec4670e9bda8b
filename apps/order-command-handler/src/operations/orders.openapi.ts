import type { OpenApiPart } from '@gondola/service-kit/http/openapi-document';

const STATUS = { type: 'object', properties: { code: { type: 'integer' }, name: { type: ['string', 'null'] } } };
const json = (schema: object): object => ({ description: 'OK', content: { 'application/json': { schema } } });
const ERROR = {
  description: 'Error',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};

/** The app's own part of `/api/openapi.json`. */
export const ordersOpenApi: OpenApiPart = {
  paths: {
    '/api/orders/{number}': {
      get: {
        summary:
          'What is known of an order, what was published of it, and what its open commands wait for; no personal data',
        parameters: [
          { name: 'number', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'tenant', in: 'query', description: 'Needed with several tenants', schema: { type: 'string' } },
        ],
        responses: { '200': json({ $ref: '#/components/schemas/ShownOrder' }), '400': ERROR, '404': ERROR },
      },
    },
    '/api/counts': {
      get: { summary: 'Facts, orders by status, open commands', responses: { '200': json({ type: 'object' }) } },
    },
  },
  schemas: {
    ShownOrder: {
      type: 'object',
      required: ['tenant', 'orderNumber', 'status', 'paid', 'told', 'facts', 'openCommands'],
      properties: {
        tenant: { type: 'string' },
        orderNumber: { type: 'string' },
        orderId: { type: ['string', 'null'] },
        status: { anyOf: [STATUS, { type: 'null' }] },
        paid: { type: 'boolean', description: 'A 300 is known' },
        told: { type: 'object', description: 'Last published revision and status; revision 0: not created' },
        values: { type: ['object', 'null'], description: 'Times, fulfilment, totals and items' },
        facts: { type: 'array', items: { type: 'object' } },
        openCommands: { type: 'array', items: { type: 'object' } },
      },
    },
  },
};
