import type { LaneSituation } from '../../src/lanes/lane-situation.ts';
import type { LaneSettings } from '../../src/lanes/order-tenants.service.ts';
import { newRow } from '../../src/orders/order-row.ts';

/** The durations of an installation that configures none. */
export const COMMAND_SETTINGS: LaneSettings = {
  deadlineMs: 900_000,
  invoiceMs: 3_600_000,
  watch: { firstMs: 60_000, paidNoticeMs: 120_000, longestMs: 3_600_000 },
  readGraceMs: 900_000,
  lostAnswerMs: 5_000,
  readFreshMs: 10_000,
  maxAttempts: 3,
  readBackMs: 1_000,
  isByLine: false,
  lateCallMs: 120_000,
  limits: {
    notPreparedMs: 86_400_000,
    pickingUnconfirmedMs: 1_800_000,
    pdfMissingMs: 3_600_000,
    notInvoicedMs: 86_400_000,
    cancelUnfinishedMs: 86_400_000,
    refundUnfinishedMs: 604_800_000,
  },
};

/** A lane of an order of which nothing is stored. */
export const NOTHING_LOADED: LaneSituation = {
  state: null,
  values: null,
  skus: [],
  finalPrice: null,
  shownInvoices: [],
  showsPdf: false,
  row: newRow({ id: '1', tenant: 'acme', identity: '1' }),
  heads: [],
};
