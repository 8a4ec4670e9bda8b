import type { FieldSpec } from '../schemas/field.decorators.ts';

/** Fields that all commands have in common. */
export const COMMAND_FIELDS = {
  commandId: {
    type: 'identity',
    required: 'always',
    about: 'Unique per tenant and topic: a repeat with equal content does nothing',
  },
  command: { type: 'text', required: 'always' },
  orderNumber: { type: 'order-number', required: 'always' },
  requestedAt: { type: 'time', about: 'Ignored when two commands are compared' },
  requestedBy: { type: 'text' },
  tenant: {
    type: 'text',
    about: 'Tenant of the command; required if there are several tenants and no header `ce_tenant`',
  },
} as const satisfies Readonly<Record<string, FieldSpec>>;
