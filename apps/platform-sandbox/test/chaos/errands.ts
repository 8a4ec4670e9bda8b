import type { Dice } from './dice.ts';
import { keyOf, type Call } from './ledger.ts';
import type { Client } from './patient-client.ts';
import type { PlannedOrder, Step } from './planned-orders.ts';
import type { PlannedItem, PlannedProduct } from './planned-products.ts';
import type { Pulse } from './pulse.ts';

/**
 * Most tries, one of which succeeds. All but the hasty ones are an operation that the core has taken or a call that
 * was not accepted, so that a slow machine does not use up the tries.
 */
const MOST_TRIES = 100;
/** Share of tries for an order after which the merchant looks at once, while the platform's own change may be due. */
const HASTY_SHARE = 0.2;
const CANCELLED = [750, 800, 1100, 1200];
const RETURNED = [1000, 1100, 1200];

export interface PlacedOrder extends PlannedOrder {
  readonly number: number;
  readonly id: string;
}

/**
 * A merchant's work; each step is read back before it is repeated (docs/platform.md, "Behaviour rules"; Errors).
 */
export class Errands {
  private readonly client: Client;
  private readonly pulse: Pulse;
  private readonly dice: Dice;

  constructor(client: Client, pulse: Pulse, dice: Dice) {
    this.client = client;
    this.pulse = pulse;
    this.dice = dice;
  }

  /** Sends products in rounds, each in batches until every valid item is stored. */
  async load(products: readonly PlannedProduct[]): Promise<void> {
    for (let round = 0; products.some(({ rounds }) => rounds[round] !== undefined); round += 1) {
      const items = products.flatMap(({ rounds }) => rounds[round] ?? []);
      await this.enter(items);
    }
  }

  private async enter(items: readonly PlannedItem[]): Promise<void> {
    let open = items;
    for (let attempt = 1; open.length > 0; attempt += 1) {
      if (attempt > MOST_TRIES) throw new Error(`${open.length} products do not enter`);
      const body = open.map(({ item }) => item);
      const key = keyOf(
        'product',
        body.map((item) => JSON.stringify(item)),
      );
      const call = await this.client.change(key, 'POST', '/v1/batch/Products', body);
      if (call.outcome === 'not-accepted') continue;
      await this.pulse.taken();
      open = (await Promise.all(open.map(async (planned) => ((await this.hasEntered(planned)) ? [] : planned)))).flat();
    }
  }

  private async hasEntered({ item, marker }: PlannedItem): Promise<boolean> {
    if (marker === null) return true;
    const text = await this.client.read(`/v1/batch/Products/${String(item['externalReference'])}`);
    return text !== undefined && (JSON.parse(text) as { punctuation: number }).punctuation === marker;
  }

  /** Takes an order through its steps. */
  async fulfil(order: PlacedOrder): Promise<void> {
    for (const step of order.steps) await this.achieve(order, step);
  }

  /** Requests a step until it is reached; a step that is reached already is not requested. */
  async achieve(order: PlacedOrder, step: Step): Promise<void> {
    for (let attempt = 1; !(await this.isAchieved(order, step)); attempt += 1) {
      if (attempt > MOST_TRIES) throw new Error(`order ${order.number} does not get to ${JSON.stringify(step)}`);
      const call = await this.ask(order, step);
      const isHasty = this.dice(`${call.key}, try ${attempt}: hasty`) < HASTY_SHARE;
      if (call.outcome !== 'not-accepted' && !isHasty) await this.pulse.taken();
    }
  }

  async isAchieved({ number, id }: PlacedOrder, step: Step): Promise<boolean> {
    switch (step.kind) {
      case 'status': {
        const status = await this.status(number);
        return step.status === 1000 ? RETURNED.includes(status) : status === step.status;
      }
      case 'cancel':
        return CANCELLED.includes(await this.status(number));
      case 'pick': {
        const { acceptedOrderDetails } = await this.payload(number);
        return Math.round(acceptedOrderDetails.total * 100) === step.picking.finalPriceCents;
      }
      case 'invoice':
        return (await this.payload(number)).orderInvoiced !== null;
      default:
        return (await this.client.read(`/v1/Storages/invoice?orderId=${id}`)) !== undefined;
    }
  }

  private async ask({ number, id }: PlacedOrder, step: Step): Promise<Call> {
    const path = `/v1/Orders/${number}`;
    switch (step.kind) {
      case 'status': {
        const key = keyOf('order-status', [JSON.stringify({ orderNumber: number, status: step.status })]);
        return this.client.change(key, 'PATCH', `${path}/status`, { status: step.name });
      }
      case 'cancel': {
        const key = keyOf('order-cancellation', [JSON.stringify({ orderNumber: number })]);
        return this.client.change(key, 'POST', `${path}/cancel`, { reason: 'teste' });
      }
      case 'pick': {
        const body = pickingBody(step.picking);
        const key = keyOf('order-picking', [JSON.stringify({ orderNumber: number, body })]);
        return this.client.change(key, 'PUT', path, body);
      }
      case 'invoice': {
        const invoice = { number: step.number, issuanceDate: '2026-11-20T13:15:00Z' };
        const payload = { orderNumber: number, invoice: { ...invoice, valueCents: 1_245 } };
        const key = keyOf('invoice-registration', [JSON.stringify(payload)]);
        return this.client.change(key, 'PUT', `/v1/Orders/invoiced/${number}`, { ...invoice, value: 1_245 });
      }
      default: {
        const form = new FormData();
        form.append('files', new Blob([`%PDF-1.4 ${number}`], { type: 'application/pdf' }), `${number}.pdf`);
        return this.client.change(
          keyOf('invoice-file', [id]),
          'POST',
          `/v1/Storages/invoice/upload?orderId=${id}`,
          form,
        );
      }
    }
  }

  private async status(number: number): Promise<number> {
    const text = await this.client.read(`/v1/Orders/${number}/status`);
    // A status may be text.
    return text === undefined ? 0 : Number((JSON.parse(text) as { status: number | string }).status);
  }

  private async payload(number: number): Promise<OrderPayload> {
    const text = await this.client.read(`/v1/Orders/${number}/webhook-payload`);
    if (text === undefined) throw new Error(`order ${number} has no payload`);
    return JSON.parse(text) as OrderPayload;
  }
}

interface OrderPayload {
  readonly acceptedOrderDetails: { readonly total: number };
  readonly orderInvoiced: object | null;
}

function pickingBody({ lines, finalPriceCents }: Extract<Step, { kind: 'pick' }>['picking']): object {
  return {
    finalOrderPrice: finalPriceCents / 100,
    items: lines.map(({ skuExternalReference, quantity, unitPriceCents }) => ({
      skuExternalReference,
      quantity: Number(quantity),
      unitOfMeasure: skuExternalReference === 'by-unit' ? 'Un' : 'Kg',
      price: unitPriceCents / 100,
    })),
  };
}
