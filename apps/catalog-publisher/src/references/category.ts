import type { CatalogOp } from '@gondola/shared/catalog/catalog-control.dto';
import { prepareCategory } from '@gondola/shared/catalog/category-record';
import { categoryNodes } from '@gondola/shared/catalog/category-tree';
import { invalidReference, type ReferenceRules } from './reference-rules.ts';

/** Value of `showInStoreFront` for each `op` (rule 29): a category is hidden, never deleted. */
const SHOWN: Readonly<Partial<Record<CatalogOp, boolean>>> = { activate: true, deactivate: false, delete: false };

export const CATEGORY: ReferenceRules = {
  isTree: true,
  isRemovable: false,
  /** The categories of the record's tree and its parent. */
  mentioned: (content, externalReference) => {
    const parent = content['parentExternalReference'];
    const references = categoryNodes(content).flatMap(({ reference }) => (reference === null ? [] : [reference]));
    return [externalReference, ...references, ...(typeof parent === 'string' ? [parent] : [])];
  },
  whole: ({ externalReference, op, content }, { stored, parents, language, allowedExtraKeys }) => {
    const shown = SHOWN[op];
    const isKnown = (stored.get(externalReference)?.record ?? null) !== null;
    // A category is sent whole: without its stored state, its name and place would be lost.
    if (shown !== undefined && !isKnown && content['name'] === undefined) {
      return invalidReference('REFERENCE_MISSING', { field: 'externalReference', value: externalReference }, language);
    }
    const wanted = shown === undefined ? content : { ...content, showInStoreFront: shown };
    const known = new Map(
      [...stored].flatMap(([reference, { record }]) => (record === null ? [] : [[reference, record]])),
    );
    const { body, nodes, errors } = prepareCategory(wanted, { language, allowedExtraKeys, known, parents });
    return errors.length > 0 ? { kind: 'invalid', errors } : { kind: 'whole', route: 'post', body, sent: nodes };
  },
};
