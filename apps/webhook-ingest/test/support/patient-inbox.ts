/**
 * For suites that read the inbox right after a 200: a busy machine must not make notifications go into the spool.
 */
export const PATIENT_INBOX = { INBOX_BUDGET_MS: '10000' };
