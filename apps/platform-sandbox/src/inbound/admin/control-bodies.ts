import { z } from 'zod';

export const IdleBody = z.object({ timeoutMs: z.int().min(0).max(600_000).default(10_000) });
export const SenderBody = z.object({ paused: z.boolean() });
export const RawBody = z.object({
  contractAccountId: z.string().optional(),
  headers: z.record(z.string(), z.string().nullable()).default({}),
  bodyBase64: z.base64(),
});
