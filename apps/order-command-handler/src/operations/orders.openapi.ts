import type { OpenApiPart } from '@gondola/service-kit/http/openapi-document';

const TEXT = { type: 'string' };
const STATUS = { type: 'object', properties: { code: { type: 'integer' }, name: { type: ['string', 'null'] } } };
const json = (schema: object): object => ({ description: 'OK', content: { 'application/json': { schema } } });
const ERROR = {
  description: 'Error',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};

const TENANT = { name: 'tenant', in: 'query', description: 'Needed with several tenants', schema: { type: 'string' } };
const query = (name: string, description: string, schema: object): object => ({
  name,
  in: 'query',
  description,
  schema,
});
const COMMAND_ID = { name: 'commandId', in: 'path', required: true, schema: { type: 'string' } };

/** The app's own part of `/api/openapi.json`. */
export const ordersOpenApi: OpenApiPart = {
  paths: {
    '/api/orders': {
      get: {
        summary: 'Orders, newest first, without personal data',
        parameters: [
          { ...TENANT, description: 'Only its orders' },
          query('status', 'Only those in this status', { type: 'integer' }),
          query('olderThanMs', 'Only those whose status has lasted so long', { type: 'integer' }),
          query('before', '`next` of the page before', { type: 'string' }),
          query('limit', '50, at most 200', { type: 'integer' }),
        ],
        responses: { '200': json({ $ref: '#/components/schemas/OrderPage' }), '400': ERROR },
      },
    },
    '/api/orders/{number}': {
      get: {
        summary: 'What is known of an order, its course, and what its open commands wait for; personal data is masked',
        parameters: [
          { name: 'number', in: 'path', required: true, schema: { type: 'string' } },
          TENANT,
          query('reveal', 'With personal data as they are; counted and logged', { type: 'boolean' }),
        ],
        responses: { '200': json({ $ref: '#/components/schemas/ShownOrder' }), '400': ERROR, '404': ERROR },
      },
    },
    '/api/commands/{commandId}': {
      get: {
        summary: 'What became of a command, or what it waits for',
        parameters: [COMMAND_ID, TENANT],
        responses: { '200': json({ $ref: '#/components/schemas/ShownCommand' }), '400': ERROR, '404': ERROR },
      },
    },
    '/api/commands/{commandId}/withdraw': {
      post: {
        summary: 'Asks for it to be withdrawn, as a WithdrawCommand of the ERP; the answer names that command',
        parameters: [COMMAND_ID],
        responses: {
          '202': json({ type: 'object', properties: { commandId: TEXT, withdraws: TEXT } }),
          '400': ERROR,
          '404': ERROR,
          '409': ERROR,
        },
      },
    },
    '/api/counts': {
      get: { summary: 'Facts, orders by status, open commands', responses: { '200': json({ type: 'object' }) } },
    },
  },
  schemas: {
    OrderPage: {
      type: 'object',
      required: ['entries', 'next'],
      properties: {
        entries: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              id: TEXT,
              tenant: TEXT,
              orderNumber: TEXT,
              orderId: { type: ['string', 'null'] },
              status: { anyOf: [STATUS, { type: 'null' }] },
              statusSince: { type: 'string', format: 'date-time' },
              revision: { type: 'integer' },
            },
          },
        },
        next: { type: ['string', 'null'] },
      },
    },
    ShownCommand: {
      type: 'object',
      required: ['tenant', 'orderNumber', 'commandId', 'command', 'outcome', 'timeline'],
      properties: {
        tenant: TEXT,
        orderNumber: { type: ['string', 'null'] },
        commandId: TEXT,
        command: TEXT,
        receivedAt: { type: 'string', format: 'date-time' },
        attempts: { type: 'integer' },
        outcome: { type: ['string', 'null'] },
        reasonCode: { type: ['string', 'null'] },
        waits: { type: ['object', 'null'], description: 'Null once it is done' },
        timeline: { type: 'array', items: { type: 'object' } },
      },
    },
    ShownOrder: {
      type: 'object',
      required: ['tenant', 'orderNumber', 'status', 'paid', 'told', 'facts', 'openCommands', 'timeline'],
      properties: {
        tenant: TEXT,
        orderNumber: TEXT,
        orderId: { type: ['string', 'null'] },
        status: { anyOf: [STATUS, { type: 'null' }] },
        paid: { type: 'boolean', description: 'A 300 is known' },
        told: { type: 'object', description: 'Last published revision and status; revision 0: not created' },
        values: { type: ['object', 'null'], description: 'Times, fulfilment, totals and items' },
        people: { type: ['object', 'null'], description: 'Customer, address and payments, masked without reveal' },
        facts: { type: 'array', items: { type: 'object' } },
        openCommands: { type: 'array', items: { type: 'object' } },
        timeline: { type: 'array', items: { type: 'object' }, description: 'Everything in order of time' },
      },
    },
  },
};
