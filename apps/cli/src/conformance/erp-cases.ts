import type { TopicName } from '@gondola/shared/topics/topics';
import type { Json } from './parsed.ts';

/** Records of the contract's examples, which the cases change. */
export type Examples = Readonly<Record<'event' | 'result' | 'sku', Json>>;

/** A record for the ERP; `replay`: published again, byte for byte, with the header `ce_replay`. */
export interface CaseRecord {
  readonly key: string;
  /** Entity within the tenant, which chooses the partition. */
  readonly subject: string;
  readonly value: Json | null;
  readonly replay?: true;
}

export type ErpCase = readonly [pt: string, en: string, TopicName, ...records: readonly CaseRecord[]];

const UNKNOWN = { future: { list: [1, null, 'x'], text: 'ação' } };
const BEYOND_32_BITS = 9_000_000_000_000;
const TIMES = ['2026-11-20T14:05:00-03:00', '2026-11-20T17:05:00Z', '2026-11-20T17:05:00.1234567+00:00'];

/** Records that a consumer must get over, of orders from `first` on. */
export function erpCases({ event, result, sku }: Examples, tenant: string, first: number): ErpCase[] {
  const order = event['order'] as Json;
  const of = (orderNumber: number, revision: number, more: Json = {}, inOrder: Json = {}): CaseRecord => {
    const key = `${tenant}:order:${orderNumber}:${revision}`;
    const whole = { ...event, id: key, tenant, orderNumber, revision, platform: null, ...more };
    const value = { ...whole, order: { ...order, orderNumber, ...inOrder } };
    return { key, subject: `order/${orderNumber}`, value };
  };
  const ends = (number: number, more: Json = {}): CaseRecord => {
    const key = `${tenant}:result:conformance-${number}`;
    const value = { ...result, id: key, tenant, commandId: `conformance-${number}`, ...more };
    return { key, subject: `order/${number}`, value };
  };
  const snapshots = [{ ...sku, tenant }, null].map((value): CaseRecord => {
    return { key: `${tenant}/conformance`, subject: 'sku/conformance', value };
  });
  const change = { type: 'OrderChanged', changes: ['totals'], previousStatus: event['status'] };
  const [one, two] = [of(first, 1), of(first, 2, change)];
  const customer = order['customer'] as Json;
  const totals = { ...(order['totals'] as Json), subtotal: '0.00', discount: '-0.1250', total: '1234567890.05' };
  const attention = { code: 'FUTURE_CODE', since: TIMES[0], waitsFor: 'erp' };
  const corrected = { outcome: 'corrected', correctedOutcome: 'refused', corrects: `${tenant}:result:conformance-0` };
  const reason = { code: 'FUTURE_CODE', message: 'Motivo de uma versão futura.' };
  const times = TIMES.map((time, at) => of(first + 5, at + 1, { time, ...(at > 0 && change) }));
  const [events, results] = ['erp.orders.events.v1', 'erp.orders.results.v1'] as const;
  const replayed = [one, two].map((record) => ({ ...record, replay: true as const }));
  const nothing = { coupon: null, giftCard: null, customer: { ...customer, birthDate: null, gender: null } };
  return [
    ['lê um evento', 'reads an event', events, one],
    ['passa por um repetido', 'gets over a repeat', events, one, one],
    ['passa por um mais velho', 'gets over an older one', events, two, one],
    ['passa por um replay', 'gets over a replay', events, ...replayed],
    ['ignora campos desconhecidos', 'ignores unknown fields', events, of(first + 1, 1, UNKNOWN, UNKNOWN)],
    ['passa por palavras novas', 'gets over new words', events, of(first + 2, 1, { type: 'OrderFuture', attention })],
    ['lê null e campos ausentes', 'reads null and absent fields', events, of(first + 3, 1, {}, nothing)],
    ['lê texto decimal', 'reads decimal text', events, of(first + 4, 1, {}, { totals })],
    ['lê horas de qualquer fuso', 'reads times of any offset', events, ...times],
    ['lê números de 64 bits', 'reads numbers of 64 bits', events, of(BEYOND_32_BITS + first, 1)],
    ['lê resultados', 'reads results', results, ends(first), ends(first), ends(first + 1, corrected)],
    ['passa por razões novas', 'gets over new reasons', results, ends(first + 2, { reason, ...UNKNOWN })],
    ['lê SKUs e o fim de um', 'reads SKUs, and the end of one', 'catalog.skus.v1', ...snapshots],
  ];
}
