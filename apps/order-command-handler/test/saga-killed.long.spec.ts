import type { Reply } from '@gondola/local-stack/testing/test-server';
import { waitFor } from '@gondola/local-stack/wait-for';
import { describe, expect, it } from '@jest/globals';
import { killedOrderWorker } from './support/killed-worker.ts';
import { orderData } from './support/platform-order.ts';
import type { CallKind, OrderPlatform } from './support/order-platform.ts';

const ORDER = 700001;
const COMMAND = {
  commandId: 'i-1',
  command: 'RegisterInvoice',
  orderNumber: ORDER,
  number: '123',
  issuedAt: '2026-11-20T13:00:00Z',
  value: '12.45',
  pdf: { uploadId: 'u-1' },
};
const ROUNDS = 2;

/**
 * A platform as far as one invoice needs it; the call at which the worker is killed is applied or not, and never
 * answered.
 */
class InvoicePlatform {
  readonly registrations: string[] = [];
  status = 300;
  #deadly: CallKind | null;
  readonly #isApplied: boolean;
  readonly reached = Promise.withResolvers<void>();

  constructor(scripted: OrderPlatform, deadly: CallKind | null, isApplied: boolean) {
    this.#deadly = deadly;
    this.#isApplied = isApplied;
    scripted.on.register = ({ body }) =>
      this.#at('register', () => {
        this.registrations.push(body);
        return { transactionId: '00000000-0000-4000-8000-0000000000aa' };
      });
    scripted.on.payload = () =>
      this.#at('payload', () => ({ number: ORDER, orderInvoiced: this.registrations.length > 0 ? {} : null }));
    scripted.on.read = () => this.#at('read', () => this.status);
    scripted.on.status = () =>
      this.#at('status', () => {
        this.status = 350;
        return { operationId: '00000000-0000-4000-8000-0000000000bb' };
      });
  }

  #at(kind: CallKind, apply: () => unknown): Reply {
    if (kind !== this.#deadly) return { status: 200, json: apply() };
    this.#deadly = null;
    if (this.#isApplied) apply();
    this.reached.resolve();
    return 'hang';
  }
}

describe.each(Array.from({ length: ROUNDS }, (_, index) => index + 1))('an invoice saga (round %i)', () => {
  it.concurrent.each<[string, CallKind | 'check' | null, boolean]>([
    ['after it asked whether the PDF can be attached', 'check', false],
    ['before its registration', 'register', false],
    ['after its registration', 'register', true],
    ['after it asked for the PDF', null, false],
    ['while it reads the status', 'read', false],
    ['while it reads the registration', 'payload', false],
    ['before its PATCH', 'status', false],
    ['after its PATCH', 'status', true],
  ])(
    'that is killed %s ends once, with one check, one registration and one PDF (rules 15, 33)',
    async (_when, deadly, isApplied) => {
      const { killed, platform: scripted } = await killedOrderWorker('saga-killed');
      const { survivor } = killed;
      const platform = new InvoicePlatform(scripted, deadly === 'check' ? null : deadly, isApplied);
      const commandsPublished = async (): Promise<unknown[]> =>
        (await survivor.published('erp.files.commands.v1')).map(({ command }) => command);
      const askedFor = (command: string): Promise<true> =>
        waitFor(async () => (await commandsPublished()).includes(command), { describe: `the command ${command}` });
      await survivor.storeFact({
        data: orderData({ number: ORDER, status: 300, updatedAt: '2026-11-20T10:15:00' }),
      });
      await survivor.storeCommand(COMMAND);
      await killed.start();
      try {
        await askedFor('CheckInvoicePdf');
        expect(scripted.requests).toEqual([]);
        if (deadly === 'check') await killed.takeOver();
        await survivor.storePdfChecked('i-1', ORDER);
        if (deadly !== 'register') {
          await askedFor('UploadInvoicePdf');
          if (deadly !== null) await survivor.storePdfAttached('i-1', ORDER);
        }
        if (deadly !== null && deadly !== 'check') await platform.reached.promise;
        if (deadly !== 'check') await killed.takeOver();
        await askedFor('UploadInvoicePdf');
        await survivor.storePdfAttached('i-1', ORDER);
        await waitFor(() => platform.status === 350, { describe: 'the PATCH' });
        await survivor.storeFact({
          data: orderData({ number: ORDER, status: 350, updatedAt: '2026-11-20T10:20:00' }),
        });
        expect(await killed.results()).toMatchObject([{ commandId: 'i-1', outcome: 'applied', warnings: [] }]);
        expect(platform.registrations.length).toBeLessThanOrEqual(3);
        expect(new Set(platform.registrations).size).toBe(1);
        expect(await commandsPublished()).toEqual(['CheckInvoicePdf', 'UploadInvoicePdf']);
        expect(await survivor.eventTypes()).toEqual(['OrderApproved']);
      } finally {
        await killed.close();
      }
    },
  );
});
