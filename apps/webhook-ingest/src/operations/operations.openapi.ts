import type { OpenApiPart } from '@gondola/service-kit/http/openapi-document';
import { REGISTRATION_PROBLEMS } from '../registration/judge-registration.ts';
import { NOTIFICATION_STATES } from '../notifications/notification-filter.ts';
import { QUARANTINE_REASONS } from '../notifications/read-notification.ts';
import { REGISTRATION_OUTCOMES } from '../registration/registration-outcome.ts';
import { QUARANTINE_STATES } from '../quarantine/quarantine-entry.entity.ts';

const TEXT = { type: 'string' };
const NUMBER = { type: 'integer' };
const TIME = { type: 'string', format: 'date-time' };
const MAYBE_TEXT = { type: ['string', 'null'] };
const MAYBE_TIME = { type: ['string', 'null'], format: 'date-time' };

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const list = (items: object) => ({ type: 'array', items });
const query = (name: string, description: string, schema: object = TEXT) => ({
  name,
  in: 'query',
  description,
  schema,
});
const json = (description: string, schema: object) => ({ description, content: { 'application/json': { schema } } });
const error = (description: string) => json(description, ref('Error'));
const body = (schema: object) => ({ required: true, content: { 'application/json': { schema } } });
const record = (properties: Record<string, object>, optional: readonly string[] = []) => ({
  type: 'object',
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
});
const page = (entry: string) =>
  record({ entries: list(ref(entry)), next: { ...MAYBE_TEXT, description: 'For `before`; null on the last page' } });

const ID = { name: 'id', in: 'path', required: true, schema: TEXT };
const BODY = query('body', 'true: with the content, which is personal data; that it was shown is counted and logged', {
  enum: ['true', 'false'],
  default: 'false',
});
const PAGE = [
  query('before', '`next` of the page before'),
  query('limit', 'At most so many', { type: 'integer', minimum: 1, maximum: 200, default: 50 }),
];
const WRONG = error('A parameter or a field is wrong; the message says what would be right');
const NONE = error('There is no such entry');

/** Operations on what was received, in `/api/openapi.json`. */
export const OPERATIONS_OPENAPI: OpenApiPart = {
  paths: {
    '/api/notifications': {
      get: {
        summary: 'What was received and understood, newest first, without its content',
        parameters: [
          query('tenant', 'Of one tenant'),
          query('orderNumber', 'About one order'),
          query('operationId', 'Of one operation of the platform'),
          query('eventType', 'With this event name'),
          query('entity', 'With this relatedEntity'),
          query(
            'identity',
            'About one entity, as it stands behind the kind in `subject`; needs entity; never an e-mail',
          ),
          query('state', 'untold: stored and published to nobody; parked: refused by Kafka for good', {
            enum: NOTIFICATION_STATES,
          }),
          ...PAGE,
        ],
        responses: { '200': json('A page', page('NotificationEntry')), '400': WRONG },
      },
    },
    '/api/notifications/{id}': {
      parameters: [ID],
      get: {
        summary: 'One of them',
        parameters: [BODY],
        responses: { '200': json('The entry', withBody('NotificationEntry')), '400': WRONG, '404': NONE },
      },
    },
    '/api/quarantine': {
      get: {
        summary: 'What was delivered and not understood, newest first, without its content',
        parameters: [
          query('tenant', 'Of one tenant'),
          query('reason', 'For this reason', { enum: QUARANTINE_REASONS }),
          query('state', 'open: not settled yet', { enum: QUARANTINE_STATES }),
          ...PAGE,
        ],
        responses: { '200': json('A page', page('QuarantineEntry')), '400': WRONG },
      },
    },
    '/api/quarantine/{id}': {
      parameters: [ID],
      get: {
        summary: 'One of them',
        parameters: [BODY],
        responses: { '200': json('The entry', withBody('QuarantineEntry')), '400': WRONG, '404': NONE },
      },
    },
    '/api/quarantine/{id}/reprocess': {
      parameters: [ID],
      post: {
        summary: 'Reads the stored bytes again, by today’s rules',
        responses: {
          '200': json('What became of it; asked again, repeated', ref('Reprocessed')),
          '404': NONE,
          '409': error('It was discarded, its content is erased, or its tenant is not configured'),
        },
      },
    },
    '/api/quarantine/{id}/discard': {
      parameters: [ID],
      post: {
        summary: 'Closes an entry that is of no use; its content is stored as long as any other',
        requestBody: body(
          record({ note: { type: 'string', minLength: 1, maxLength: 500, description: 'Why; it is stored' } }),
        ),
        responses: {
          '200': json('The entry; the note of the first time stays', ref('QuarantineEntry')),
          '400': WRONG,
          '404': NONE,
          '409': error('It became a notification'),
        },
      },
    },
    '/api/webhook-registration': {
      get: {
        summary: 'What is known of the webhooks of all tenants, or of one',
        parameters: [query('tenant', 'Of one tenant')],
        responses: {
          '200': json('By tenant', record({ registrations: list(ref('RegistrationState')) })),
          '400': WRONG,
        },
      },
      post: {
        summary: 'Shows what registering the webhook would do; with confirm: true, does it, for good',
        description:
          'The platform has no route to change, delete or show a webhook. It is registered for all documented events and those of the wire profile ' +
          '(moreEventTypes), with the first of the tenant’s webhook.tokens, which is never shown. A local url is taken only where the ' +
          'tenant’s platform is as local: on this machine, or in this network.',
        requestBody: body(
          record(
            {
              tenant: TEXT,
              url: { type: 'string', description: 'https://…/webhooks/platform/{tenant}' },
              events: { ...list(TEXT), description: 'Event names beside the documented ones and the profile’s' },
              confirm: { type: 'boolean', default: false },
            },
            ['events', 'confirm'],
          ),
        ),
        responses: {
          '200': json('What would be done, or that it is registered', ref('Registration')),
          '400': WRONG,
          '409': error(
            'The platform has a webhook of the tenant already: WEBHOOK_EXISTS (not from here), WEBHOOK_EXISTS_OURS, WEBHOOK_EXISTS_PROBABLY_OURS ' +
              '(an earlier answer was lost); or CONFLICT: another registration is under way',
          ),
          '422': error(
            'Confirmed, but something speaks against it and nothing was sent (REGISTRATION_NOT_POSSIBLE), or the platform refused (PLATFORM_REFUSED)',
          ),
          '502': error('Sent, without an answer that says whether it is registered (PLATFORM_SILENT)'),
          '503': error('Nothing reached the platform (PLATFORM_NOT_REACHED)'),
        },
      },
    },
    '/api/erasures': {
      get: {
        summary: 'Which orders’ content was to be erased, newest first',
        parameters: [query('tenant', 'Of one tenant'), ...PAGE],
        responses: { '200': json('A page', page('Erasure')), '400': WRONG },
      },
      post: {
        summary: 'Erases the content of what was received about an order',
        description:
          'Of notifications, and of entries of the quarantine that name the order. What waits to be sent, or stands in a spool, is erased ' +
          'as soon as it is sent. What is received later is not.',
        requestBody: body(
          record({
            tenant: TEXT,
            orderNumber: { type: ['integer', 'string'] },
            confirm: { const: true, description: 'It cannot be undone' },
          }),
        ),
        responses: { '200': json('The record of it', ref('Erasure')), '400': WRONG },
      },
    },
  },
  schemas: {
    NotificationEntry: record({
      id: TEXT,
      tenant: TEXT,
      operationId: TEXT,
      eventType: TEXT,
      relatedEntity: TEXT,
      subject: { ...MAYBE_TEXT, description: 'Kind and identity, such as order/100234' },
      topic: { ...MAYBE_TEXT, description: 'Null: published to nobody' },
      dedupKey: TEXT,
      bytes: { ...NUMBER, description: 'Of the content, also after it was erased' },
      receivedAt: TIME,
      state: { enum: NOTIFICATION_STATES },
      sentAt: MAYBE_TIME,
      parkedReason: MAYBE_TEXT,
      bodyErasedAt: MAYBE_TIME,
    }),
    QuarantineEntry: record({
      id: TEXT,
      tenant: TEXT,
      reason: { enum: QUARANTINE_REASONS },
      detail: { type: 'string', description: 'A field’s name or a code, never a value' },
      bytes: NUMBER,
      receivedAt: TIME,
      state: { enum: QUARANTINE_STATES },
      settledAt: MAYBE_TIME,
      note: { ...MAYBE_TEXT, description: 'Why it was discarded' },
      bodyErasedAt: MAYBE_TIME,
    }),
    Reprocessed: record(
      {
        outcome: { enum: ['stored', 'repeated', 'still-quarantined'] },
        reason: { enum: QUARANTINE_REASONS, description: 'Of still-quarantined' },
        detail: { type: 'string', description: 'Of still-quarantined' },
      },
      ['reason', 'detail'],
    ),
    RegistrationAttempt: record({
      id: TEXT,
      tenant: TEXT,
      url: TEXT,
      events: list(TEXT),
      requestedFrom: { ...MAYBE_TEXT, description: 'The address that asked' },
      startedAt: TIME,
      finishedAt: MAYBE_TIME,
      outcome: {
        enum: [...REGISTRATION_OUTCOMES, null],
        description: 'Null: under way, or its process ended before the outcome was known',
      },
      platformId: MAYBE_TEXT,
      platformMessage: MAYBE_TEXT,
    }),
    Registration: record({
      tenant: TEXT,
      url: TEXT,
      events: list(TEXT),
      outcome: { enum: ['dry-run', 'registered'] },
      message: TEXT,
      permanence: { type: 'string', description: 'What can never be changed' },
      problems: list(record({ code: { enum: REGISTRATION_PROBLEMS }, message: TEXT })),
      warnings: list(record({ code: { enum: ['URL_LOCAL', 'URL_PATH'] }, message: TEXT })),
      attempts: list(ref('RegistrationAttempt')),
    }),
    RegistrationState: record({
      tenant: TEXT,
      url: { ...MAYBE_TEXT, description: 'Of what is, or probably is, registered' },
      events: { type: ['array', 'null'], items: TEXT },
      outcome: { enum: ['none', ...REGISTRATION_OUTCOMES] },
      message: TEXT,
      lastNotificationAt: MAYBE_TIME,
      attempts: list(ref('RegistrationAttempt')),
    }),
    Erasure: record({
      id: TEXT,
      tenant: TEXT,
      orderNumber: TEXT,
      at: TIME,
      notifications: { ...NUMBER, description: 'Contents erased so far' },
      quarantined: { ...NUMBER, description: 'Contents in quarantine erased so far' },
      waiting: { ...NUMBER, description: 'Not sent yet; each is erased once it is' },
    }),
  },
};

function withBody(entry: string): object {
  const bodyBase64 = { ...MAYBE_TEXT, description: 'With `body=true`; null where it was erased' };
  return { allOf: [ref(entry), { type: 'object', properties: { bodyBase64 } }] };
}
