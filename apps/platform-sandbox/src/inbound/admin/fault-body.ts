import { z } from 'zod';
import { CALL_FAULTS, WEBHOOK_FAULTS } from '../../domain/faults/fault.ts';

const pattern = z.string().refine(isRegularExpression, 'must be a regular expression');

const counts = {
  times: z.int().min(1).optional(),
  share: z.number().min(0).max(1).optional(),
  seed: z.int().optional(),
  ms: z.int().min(0).max(600_000).optional(),
};

const CallFaultBody = z.strictObject({
  kind: z.enum(CALL_FAULTS),
  route: pattern.optional(),
  status: z.int().min(400).max(599).optional(),
  ...counts,
});

const WebhookFaultBody = z.strictObject({
  kind: z.enum(WEBHOOK_FAULTS),
  event: pattern.optional(),
  ...counts,
});

/** Faults as the admin API takes them. Kinds that bend calls take `route`, those that bend deliveries take `event`. */
export const FaultsBody = z.array(z.discriminatedUnion('kind', [CallFaultBody, WebhookFaultBody]));

function isRegularExpression(text: string): boolean {
  try {
    return new RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
}
