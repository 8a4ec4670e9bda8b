import type { JsonRecord } from '@gondola/shared/json/json-digits';
import type { ReferenceProgress, SentReference, StoredReference } from '../../src/references/stored-reference.ts';
import type { RecordAttempt } from '../../src/records/record-attempts.ts';

/** A brand with all that the platform requires. */
export function fullBrand(more: JsonRecord = {}): JsonRecord {
  return {
    externalReference: 'serra',
    name: 'Serra',
    title: 'Queijos da Serra',
    description: 'Queijos',
    punctuation: 10,
    ...more,
  };
}

/** One that was applied as it is. */
export function storedReference(
  externalReference: string,
  record: JsonRecord | null,
  more: Partial<StoredReference> = {},
): StoredReference {
  return { externalReference, record, parent: null, exists: record !== null, inDoubt: false, revision: '1', ...more };
}

export function sentReference(externalReference: string, parent: string | null = null): SentReference {
  return { externalReference, parent, record: { externalReference, parentExternalReference: parent } };
}

/** A record that was sent so often, each attempt with this answer. */
export function referenceProgress(
  answers: readonly RecordAttempt['answer'][],
  more: Partial<ReferenceProgress> & { readonly shared?: boolean } = {},
): ReferenceProgress {
  const { shared = false, ...rest } = more;
  return {
    route: 'post',
    body: fullBrand(),
    sent: [{ externalReference: 'serra', parent: null, record: fullBrand() }],
    sourceVersion: null,
    attempts: answers.map((answer) => ({ at: '2026-11-20T13:00:00.000Z', seenReportId: '10', shared, answer })),
    blocked: null,
    ...rest,
  };
}
