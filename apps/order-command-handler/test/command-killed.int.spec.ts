import { sized } from '@gondola/local-stack/testing/sized';
import type { Reply } from '@gondola/local-stack/testing/test-server';
import { describe, expect, it } from '@jest/globals';
import { killedOrderWorker } from './support/killed-worker.ts';
import { orderData } from './support/platform-order.ts';
import type { CallKind, OrderPlatform } from './support/order-platform.ts';

const ORDER = 710_001;
const OPERATION = '00000000-0000-4000-8000-0000000000aa';

/** Effect of a command at the platform: its call, and the order's status and price after it. */
interface Effect {
  readonly kind: CallKind;
  readonly status: number;
  readonly total: string;
  /** The status of the notification that says so. */
  readonly event: number;
}

interface Killed {
  readonly command: string;
  readonly fields: object;
  readonly effect: Effect | null;
  /** The call under which the worker is killed. */
  readonly at: CallKind;
  /** Whether the platform has carried the command out by then. */
  readonly isApplied: boolean;
  /** Reads do not show it before the next call, which is refused as done: it lands only then, or they are behind. */
  readonly isLate?: boolean;
}

const status = (target: number): Effect => ({ kind: 'status', status: target, total: '12.45', event: target });
const COMMANDS: readonly Pick<Killed, 'command' | 'fields' | 'effect'>[] = [
  { command: 'StartPreparation', fields: {}, effect: status(400) },
  { command: 'MarkReady', fields: {}, effect: status(500) },
  { command: 'Ship', fields: {}, effect: status(600) },
  { command: 'ConfirmDelivery', fields: {}, effect: status(700) },
  { command: 'ReportDeliveryFailure', fields: {}, effect: status(900) },
  { command: 'RegisterReturn', fields: {}, effect: status(1000) },
  {
    command: 'ReportPicking',
    fields: { finalOrderPrice: '12.00', items: [{ skuExternalReference: '4711-1', line: 1, outcome: 'picked' }] },
    effect: { kind: 'picking', status: 300, total: '12.00', event: 1300 },
  },
  {
    command: 'CancelOrder',
    fields: { reason: 'sem estoque' },
    effect: { kind: 'cancel', status: 800, total: '12.45', event: 800 },
  },
  { command: 'AttachInvoicePdf', fields: { pdf: { uploadId: 'u-1' } }, effect: status(350) },
  { command: 'RefreshOrder', fields: {}, effect: null },
];

/** Before the call is carried out, after it, and while it is read what became of it. */
const EVERY: readonly Killed[] = COMMANDS.flatMap((each): Killed[] => {
  const { effect } = each;
  if (effect === null) return (['payload', 'read'] as const).map((at) => ({ ...each, at, isApplied: false }));
  const around: Killed[] = [false, true].map((isApplied) => ({ ...each, at: effect.kind, isApplied }));
  // The status is read before its PATCH too; that is a crash point of the saga's own suite.
  if (each.command === 'AttachInvoicePdf') return around;
  return [...around, { ...each, at: effect.kind === 'picking' ? 'payload' : 'read', isApplied: true }];
});

const SOME = EVERY.filter(
  ({ command, at, isApplied }) =>
    (command === 'ReportPicking' && at === 'picking' && isApplied) ||
    (command === 'CancelOrder' && at === 'cancel' && !isApplied) ||
    (command === 'Ship' && at === 'read'),
);

/** A platform as far as one command needs it, whose call `at` is never answered the first time. */
class DeadlyPlatform {
  effects = 0;
  calls = 0;
  readonly reached = Promise.withResolvers<void>();
  readonly repeated = Promise.withResolvers<void>();
  #isDeadly = true;
  readonly #case: Killed;

  constructor(scripted: OrderPlatform, killed: Killed) {
    this.#case = killed;
    scripted.on.read = () => this.#answer('read', () => this.#now().status);
    scripted.on.payload = () =>
      this.#answer('payload', () => {
        const { status: current, total } = this.#now();
        const acceptedOrderDetails = { total: Number(total) };
        return { number: ORDER, status: current, acceptedOrderDetails, orderInvoiced: { number: '1' } };
      });
    scripted.on.status = () => this.#change('status');
    scripted.on.picking = () => this.#change('picking');
    scripted.on.cancel = () => this.#change('cancel');
  }

  #now(): { readonly status: number; readonly total: string } {
    const { effect, isLate } = this.#case;
    const isShown = this.effects > 0 && (isLate !== true || this.calls > 1);
    return effect !== null && isShown ? effect : { status: 300, total: '12.45' };
  }

  #change(kind: CallKind): Reply {
    const { at, isApplied, isLate } = this.#case;
    this.calls += 1;
    if (isLate === true ? this.calls === 1 : this.calls > 1 || isApplied) this.effects += 1;
    if (this.calls > 1) this.repeated.resolve();
    // Where it is killed while it reads, the answer was lost before.
    if (at !== kind) return { status: 500 };
    return this.#answer(kind, () => ({ operationId: OPERATION }));
  }

  #answer(kind: CallKind, body: () => unknown): Reply {
    if (!this.#isDeadly || kind !== this.#case.at) return { status: 200, json: body() };
    this.#isDeadly = false;
    this.reached.resolve();
    return 'hang';
  }
}

describe('a worker that is killed by SIGKILL', () => {
  it.concurrent.each(sized(SOME, EVERY))(
    'during the $at of $command (carried out: $isApplied) leaves one outcome and one effect (guarantee 3) (rules 15, 16)',
    async (each) => {
      const { command, fields, effect, isApplied } = each;
      const { killed, platform: scripted } = await killedOrderWorker('command-killed');
      const { survivor } = killed;
      const platform = new DeadlyPlatform(scripted, each);
      const notify = (code: number, total: string, minute: number, operationId?: string): Promise<void> => {
        const data = orderData({ number: ORDER, status: code, updatedAt: `2026-11-20T10:${minute}:00`, total });
        return survivor.storeFact({ data, ...(operationId !== undefined && { operationId }) });
      };
      await notify(300, '12.45', 15);
      await survivor.storeCommand({ commandId: 'c-1', command, orderNumber: ORDER, ...fields });
      if (command === 'AttachInvoicePdf') await survivor.storePdfAttached('c-1', ORDER);
      await killed.start();
      try {
        await platform.reached.promise;
        await killed.takeOver();
        if (effect !== null && !isApplied) {
          await platform.repeated.promise;
          await notify(effect.event, effect.total, 20, OPERATION);
        }
        const attempts = effect === null ? 0 : Number(!isApplied) + 1;
        const evidence = effect === null || isApplied ? 'read-back' : 'event';
        expect(await killed.results()).toMatchObject([{ commandId: 'c-1', outcome: 'applied', evidence, attempts }]);
        expect([platform.calls, platform.effects]).toEqual([attempts, effect === null ? 0 : 1]);
      } finally {
        await killed.close();
      }
    },
  );
});

const REFUSALS: Readonly<Partial<Record<CallKind, string>>> = {
  status: 'Order_StatusUpdateFailed',
  cancel: 'Order_CancelFailed',
};
const LATE = EVERY.filter(({ at, command }) => at in REFUSALS && command !== 'AttachInvoicePdf').filter(
  ({ isApplied }) => isApplied,
);

describe('a worker that is killed while its call is under way', () => {
  it.concurrent.each(sized(LATE.slice(0, 2), LATE))(
    'and is carried out unseen leaves $command with one true outcome and one effect, though it is sent again (guarantee 3) (rule 16)',
    async ({ command, fields, effect, ...rest }) => {
      const { killed, platform: scripted } = await killedOrderWorker('command-late');
      const { survivor } = killed;
      const platform = new DeadlyPlatform(scripted, { command, fields, effect, ...rest, isLate: true });
      const notify = (code: number, minute: number, more: object = {}): Promise<void> => {
        const data = orderData({ number: ORDER, status: code, updatedAt: `2026-11-20T10:${minute}:00` });
        return survivor.storeFact({ data, ...more });
      };
      await notify(300, 15);
      await survivor.storeCommand({ commandId: 'c-1', command, orderNumber: ORDER, ...fields });
      await killed.start();
      try {
        await platform.reached.promise;
        await killed.takeOver();
        await platform.repeated.promise;
        await survivor.storeFact({
          eventType: REFUSALS[rest.at]!,
          operationId: OPERATION,
          data: { number: ORDER },
          error: { statusCode: 409, message: 'done' },
        });
        await notify(effect!.event, 20, { operationId: '00000000-0000-4000-8000-0000000000bb' });
        expect(await killed.results()).toMatchObject([{ commandId: 'c-1', outcome: 'applied', attempts: 2 }]);
        expect([platform.calls, platform.effects]).toEqual([2, 1]);
      } finally {
        await killed.close();
      }
    },
  );
});
