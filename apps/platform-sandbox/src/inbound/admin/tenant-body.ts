import { z } from 'zod';
import { isGuid } from '../../domain/guid.ts';

/** A merchant and its credentials. */
export const TenantBody = z.object({
  contractAccountId: z.string().refine(isGuid, 'must be a GUID'),
  username: z
    .string()
    .min(1)
    .refine((name) => !name.includes(':'), 'must not hold a colon'),
  password: z.string().min(1),
  apiKey: z.string().min(1),
});
