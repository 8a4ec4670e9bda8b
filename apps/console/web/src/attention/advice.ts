import type { Party } from '../texts/words.ts';

/** Help for waiting rows of one cause, and who gives it. */
export interface Advice {
  readonly who: Party;
  /** Key of the sentence that says what to do. */
  readonly todo: 'corrected' | 'shop' | 'size' | 'batch' | 'failure' | 'notice' | 'stored';
  /** False if trying again cannot help. */
  readonly mayRetry: boolean;
}

/** Topics whose records the ERP writes; those of results and events are Gondola's own. */
const OF_ERP = /^erp\.(?!.*\.(?:results|events)\.)/;

export function adviceOnLetters({ reason, topic }: { readonly reason: string; readonly topic: string }): Advice {
  if (reason === 'BATCH_UNREADABLE') return { who: 'engineer', todo: 'batch', mayRetry: false };
  if (reason === 'PROCESSING_FAILED' || !OF_ERP.test(topic))
    return { who: 'engineer', todo: 'failure', mayRetry: true };
  if (reason === 'TENANT_UNKNOWN') return { who: 'erp', todo: 'shop', mayRetry: true };
  if (reason === 'RECORD_TOO_LARGE') return { who: 'erp', todo: 'size', mayRetry: true };
  return { who: 'erp', todo: 'corrected', mayRetry: true };
}

export function adviceOnNotices({ reason }: { readonly reason: string }): Advice {
  if (reason === 'TENANT_MISMATCH') return { who: 'engineer', todo: 'shop', mayRetry: true };
  return { who: 'engineer', todo: reason === 'NOT_STORABLE' ? 'stored' : 'notice', mayRetry: true };
}
