import type { FieldSpec } from '../fields/field-spec.ts';

/** The fields that commands of every kind have in common. */
export const COMMAND_FIELDS = {
  commandId: {
    type: 'identity',
    required: 'always',
    about: 'Unique per tenant and topic: a repeat with equal content does nothing',
  },
  command: { type: 'text', required: 'always' },
  orderNumber: { type: 'order-number', required: 'always' },
  requestedAt: { type: 'time', about: 'No part of what makes two commands equal' },
  requestedBy: { type: 'text' },
  tenant: {
    type: 'text',
    about: 'Whose command it is, where no header `ce_tenant` says it and several are configured',
  },
} as const satisfies Readonly<Record<string, FieldSpec>>;
