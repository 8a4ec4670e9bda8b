/** For suites that look into the inbox right after a 200: nothing goes into the spool because the machine is busy. */
export const PATIENT_INBOX = { INBOX_BUDGET_MS: '10000' };
