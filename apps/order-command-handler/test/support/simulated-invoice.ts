import { withAnswer, withAttempt } from '@gondola/shared/commands/attempts';
import type { FinalOutcome } from '@gondola/shared/outcomes/outcomes';
import {
  type CommandProgress,
  NOT_STARTED,
  withPayload,
  withPdfAsked,
  withPdfCheckAsked,
  withRead,
} from '../../src/commands/command-progress.ts';
import { decideInvoice } from '../../src/commands/decide-invoice.ts';
import type { Decision } from '../../src/commands/decision.ts';
import { foldFacts } from '../../src/facts/order-state.ts';
import { COMMAND_SETTINGS } from './command-settings.ts';
import { at, stateFact } from './facts.ts';

/** Fate of a changing call. A crash ends the process after the attempt was stored. */
export const INVOICE_FATES = ['accepted', 'lost', 'taken, lost', 'crash', 'taken, crash', 'refused'] as const;

/** Course of the PDF. A silent upload ends `unconfirmed`. */
export const PDF_COURSES = ['none', 'attached', 'silent, attached', 'silent, lost'] as const;

export interface InvoiceCourse {
  readonly fates: readonly (typeof INVOICE_FATES)[number][];
  /** The platform sets 350 itself once both parts are there. */
  readonly becomesInvoiced: boolean;
  readonly pdf: (typeof PDF_COURSES)[number];
}

export interface InvoiceRun {
  /** Null: it did not end. */
  readonly outcome: FinalOutcome | null;
  readonly registrations: number;
  readonly patches: number;
  readonly checks: number;
  readonly pdfs: number;
  readonly isRegistered: boolean;
  readonly isAttached: boolean;
  /** Codes of its warnings. */
  readonly warnings: readonly string[];
}

const MAX_STEPS = 5_000;

/** One invoice and a platform that goes by a script: the saga's steps without database, Kafka and HTTP. */
export function runInvoice(course: InvoiceCourse): InvoiceRun {
  return new SimulatedInvoice(course).run();
}

class SimulatedInvoice {
  readonly #course: InvoiceCourse;
  readonly #fates: InvoiceCourse['fates'][number][];
  readonly #paid = stateFact(300, at(0));
  readonly #invoiced = stateFact(350, at(1));
  #progress: CommandProgress = NOT_STARTED;
  #nowMs = Date.parse('2026-11-20T14:00:00Z');
  #deadlineAtMs: number | null = null;
  #isRegistered = false;
  #status = 300;
  #checks = 0;
  #pdfs = 0;

  constructor(course: InvoiceCourse) {
    this.#course = course;
    this.#fates = [...course.fates];
  }

  run(): InvoiceRun {
    let outcome: FinalOutcome | null = null;
    let warnings: readonly string[] = [];
    for (let step = 0; step < MAX_STEPS && outcome === null; step += 1) {
      const decision = this.#decide();
      if (decision.kind === 'conclude') {
        ({ outcome } = decision.conclusion);
        warnings = (decision.conclusion.warnings ?? []).map(({ code }) => code);
      } else this.#do(decision);
      if (this.#course.becomesInvoiced && this.#isRegistered && this.#isAttached) this.#status = 350;
    }
    const count = (step: string): number => this.#progress.attempts.filter((each) => each.step === step).length;
    return {
      outcome,
      registrations: count('register'),
      patches: count('status'),
      checks: this.#checks,
      pdfs: this.#pdfs,
      isRegistered: this.#isRegistered,
      isAttached: this.#isAttached,
      warnings,
    };
  }

  get #isAttached(): boolean {
    return this.#pdfs > 0 && this.#course.pdf !== 'silent, lost';
  }

  #decide(): Decision {
    const isSilent = this.#course.pdf.startsWith('silent');
    const end = isSilent
      ? ({ outcome: 'unconfirmed', evidence: 'none' } as const)
      : ({ outcome: 'applied', evidence: 'read-back' } as const);
    const pdfOutcome = { ...end, reason: null, platform: null, attempts: 1 };
    return decideInvoice(
      {
        state: foldFacts(this.#status === 350 ? [this.#paid, this.#invoiced] : [this.#paid]),
        progress: this.#progress,
        deadlineInMs: this.#deadlineAtMs === null ? null : this.#deadlineAtMs - this.#nowMs,
        nowMs: this.#nowMs,
        isLagging: false,
        otherOperationIds: [],
        value: '12.45',
        pdf: this.#course.pdf === 'none' ? null : { uploadId: 'u' },
        finalPrice: '12.45',
        pdfCheck: this.#progress.pdfCheckAsked === null ? null : { kind: 'good', untilMs: Infinity },
        pdfOutcome: this.#pdfs > 0 ? pdfOutcome : null,
        attachedAt: null,
      },
      COMMAND_SETTINGS,
    );
  }

  #do(decision: Exclude<Decision, { kind: 'conclude' }>): void {
    const now = new Date(this.#nowMs).toISOString();
    if (decision.kind === 'wait') this.#nowMs += Math.max(decision.ms ?? 1_000, 1);
    else if (decision.kind === 'read')
      this.#progress = withRead(this.#progress, { purpose: decision.purpose, at: now, status: this.#status });
    else if (decision.kind === 'read-payload') {
      const payload = { purpose: decision.purpose, at: now, kind: 'found', price: null } as const;
      this.#progress = withPayload(this.#progress, {
        ...payload,
        registered: this.#isRegistered,
        attached: this.#isRegistered && this.#isAttached,
      });
    } else if (decision.kind === 'check-pdf') {
      this.#checks += 1;
      this.#progress = withPdfCheckAsked(this.#progress, now);
    } else if (decision.kind === 'ask-pdf') {
      this.#pdfs += 1;
      this.#progress = withPdfAsked(this.#progress, this.#marker(now));
    } else this.#send(decision.step === 'register' ? 'register' : 'status', now);
  }

  #send(step: 'register' | 'status', now: string): void {
    this.#deadlineAtMs ??= this.#nowMs + COMMAND_SETTINGS.deadlineMs;
    this.#progress = withAttempt(this.#progress, { ...this.#marker(now), step, priceBefore: '12.45' });
    const fate = this.#fates.shift() ?? 'accepted';
    if (fate === 'accepted' || fate.startsWith('taken')) {
      if (step === 'register') this.#isRegistered = true;
      else this.#status = 350;
    }
    if (fate === 'accepted') this.#progress = withAnswer(this.#progress, { kind: 'accepted', operationId: null });
    if (fate === 'refused') this.#progress = withAnswer(this.#progress, { kind: 'refused', status: 400, message: '' });
    if (fate.endsWith('lost')) this.#progress = withAnswer(this.#progress, { kind: 'unknown', cause: 'timeout' });
  }

  #marker(now: string) {
    const { id, ticks, hash } = this.#paid;
    return { at: now, seenFactId: id, before: { status: 300, ticks: String(ticks), hash } };
  }
}
