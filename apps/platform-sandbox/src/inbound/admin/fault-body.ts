import { z } from 'zod';
import { CALL_FAULTS, PAYLOAD_FAULT, WEBHOOK_FAULTS } from '../../domain/faults/fault.ts';

const KINDS = [...CALL_FAULTS, ...WEBHOOK_FAULTS, PAYLOAD_FAULT];
const KEYS = 'kind, route (of calls), event (of notifications), times, share, seed, ms';

const pattern = z.string().refine(isRegularExpression, 'must be a regular expression');
const route = pattern.optional().describe('Regular expression on "METHOD path", tried with and without the query');
const event = pattern
  .optional()
  .describe('Regular expression on the whole event name, of an order also with its status behind: Order_Updated 300');

const counts = {
  times: z.int().min(1).optional().describe('Strikes so often at most; without it for ever'),
  share: z.number().min(0).max(1).optional().describe('Strikes this share of what it matches'),
  seed: z.int().optional().describe('Chooses which ones a share hits'),
  ms: z
    .int()
    .min(0)
    .max(600_000)
    .optional()
    .describe(
      'Milliseconds: of a delay, of the window of a shuffle, of the wait for an outcome; of any other kind for how long it strikes',
    ),
};

const status = z.int().min(400).max(599).optional();

const PlainCallFault = z.strictObject(
  {
    kind: z.enum(['delay', 'drop-before', 'drop-after', 'outcome-first', 'core-silent']),
    route,
    ...counts,
  },
  { error: unknownKey },
);

const StatusFault = z.strictObject(
  { kind: z.enum(['refuse', 'error-before', 'error-after']), route, status, ...counts },
  { error: unknownKey },
);

const CredentialsFault = z.strictObject(
  {
    kind: z.literal('credentials-expired'),
    route,
    status: z.literal([401, 403], 'must be 401 or 403').optional(),
    ...counts,
  },
  { error: unknownKey },
);

const TooManyFault = z.strictObject(
  {
    kind: z.literal('too-many-requests'),
    route,
    retryAfter: z.int().min(0).max(3_600).optional().describe('Seconds, as Retry-After carries them; default 1'),
    ...counts,
  },
  { error: unknownKey },
);

const WebhookFault = z.strictObject({ kind: z.enum(WEBHOOK_FAULTS), event, ...counts }, { error: unknownKey });

const PayloadFault = z.strictObject({ kind: z.literal(PAYLOAD_FAULT), route, event, ...counts }, { error: unknownKey });

/**
 * Faults as the admin API takes them, all or none. Kinds that bend calls take `route`, those that bend deliveries take
 * `event`.
 */
export const FaultsBody = z.array(
  z.discriminatedUnion(
    'kind',
    [PlainCallFault, StatusFault, CredentialsFault, TooManyFault, WebhookFault, PayloadFault],
    { error: (issue) => (issue.code === 'invalid_union' ? `kind must be one of ${KINDS.join(', ')}` : undefined) },
  ),
  { error: (issue) => (issue.code === 'invalid_type' ? 'must be a list of faults, [ { "kind": … } ]' : undefined) },
);

function unknownKey(issue: { code?: string; keys?: unknown }): string | undefined {
  if (issue.code !== 'unrecognized_keys' || !Array.isArray(issue.keys)) return undefined;
  return `takes no ${issue.keys.join(', ')}; what a fault may have is ${KEYS}, and by its kind status or retryAfter`;
}

function isRegularExpression(text: string): boolean {
  try {
    return new RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
}
