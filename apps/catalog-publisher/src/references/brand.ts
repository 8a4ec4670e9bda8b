import { prepareBrand } from '@gondola/shared/catalog/brand-record';
import { invalidReference, type ReferenceRules } from './reference-rules.ts';

export const BRAND: ReferenceRules = {
  isTree: false,
  isRemovable: true,
  mentioned: (_content, externalReference) => [externalReference],
  whole: ({ externalReference, op, content }, { stored, language, allowedExtraKeys }) => {
    if (op === 'delete') {
      const sent = [{ externalReference, parent: null, record: {} }];
      return { kind: 'whole', route: 'delete', body: { externalReference }, sent };
    }
    // A brand cannot be hidden.
    if (op !== 'upsert') return invalidReference('COMMAND_UNKNOWN', { field: 'op', value: op }, language);
    const known = stored.get(externalReference)?.record ?? null;
    const { body, errors } = prepareBrand(content, known, { language, allowedExtraKeys });
    if (errors.length > 0) return { kind: 'invalid', errors };
    return { kind: 'whole', route: 'post', body, sent: [{ externalReference, parent: null, record: body }] };
  },
};
