import type { Say } from '../texts/texts.ts';
import { type Check, failed, HELD, skipped } from './check.ts';

/** One delivery; token null: no `Authorization`. `slow`: the body comes in pieces; `broken-off`: it never ends. */
export interface Delivery {
  readonly body: string | Buffer;
  readonly token: string | null;
  readonly type?: string;
  readonly pace?: 'slow' | 'broken-off';
}

export interface AskedReceiver {
  readonly account: string;
  readonly token: string;
  /** A token of another tenant of the receiver; null: none is known. */
  readonly otherToken: string | null;
  /** Id of this run, in every operation. */
  readonly run: string;
  /** Status of the answer; null: none within the time that a platform waits. */
  readonly deliver: (delivery: Delivery) => Promise<number | null>;
}

type Expected = 'taken' | 'refused' | 'understood';
type Row = readonly [section: string, pt: string, en: string, Expected, ...(readonly (Delivery | null)[])];

const STATUSES: Readonly<Record<Expected, readonly [text: string, pattern: RegExp]>> = {
  taken: ['2xx', /^2/],
  refused: ['401 | 403', /^40[13]$/],
  understood: ['2xx | 4xx', /^[24]/],
};
/** No shop numbers an order so, and 250 (payment refused) starts no work. */
const TEST_ORDER = 990_000_001;
const OTHER_ACCOUNT = '99999999-9999-4999-8999-999999999999';
const LARGE = 6_000_000;
const DEEP = 200;

/** Checks of a webhook's receiver by its answers: what it does with a notification is not seen from outside. */
export function receiverChecks(receiver: AskedReceiver, say: Say): Check[] {
  const without = skipped(say({ pt: 'sem GONDOLA_OTHER_WEBHOOK_TOKEN', en: 'without GONDOLA_OTHER_WEBHOOK_TOKEN' }));
  return rowsOf(receiver).map(([section, pt, en, expected, ...deliveries]) => {
    const run = async () => {
      const [text, pattern] = STATUSES[expected];
      const answers: Promise<number | null>[] = [];
      for (const delivery of deliveries) {
        if (delivery === null) return without;
        const answer = receiver.deliver(delivery);
        // Only what is to come at once does not wait for the answer before.
        if (section !== 'at once') await answer;
        if (delivery.pace !== 'broken-off') answers.push(answer);
      }
      const wrong = (await Promise.all(answers)).find((status) => !pattern.test(String(status)));
      return wrong === undefined ? HELD : failed(text, wrong === null ? '–' : `HTTP ${wrong}`);
    };
    return { section, statement: say({ pt, en }), run };
  });
}

function rowsOf({ account: contractAccountId, token, otherToken, run }: AskedReceiver): Row[] {
  const [taken, refused, understood] = ['taken', 'refused', 'understood'] as const;
  const note = (id: string, more: object = {}, data: object = {}, how: Partial<Delivery> = {}): Delivery => {
    const own = { number: TEST_ORDER, status: 250, updatedAt: '2026-11-20T10:15:00', ...data };
    const kind = { relatedEntity: 'Order', eventType: 'Order_Updated' };
    const body = JSON.stringify({ operationId: `${run}-${id}`, contractAccountId, ...kind, data: own, ...more });
    return { body, token, ...how };
  };
  const as = (id: string, how: Partial<Delivery>): Delivery => note(id, {}, {}, how);
  const raw = (body: string | Buffer): Delivery => ({ body, token });
  const same = note('same');
  const many = Array.from({ length: 20 }, (_, at) => note(`many-${at % 10}`));
  const nested = JSON.parse('['.repeat(DEEP) + ']'.repeat(DEEP)) as unknown;
  const other = otherToken === null ? null : as('other', { token: otherToken });
  const older = ['2026-11-20T11:00:00', '2026-11-20T09:00:00'].map((time) => note(time, {}, { updatedAt: time }));
  const odd = ['{"operationId":', '', 'null', '[]', '{}'].map(raw);
  const binary = raw(Buffer.from('7bfffe007d', 'hex'));
  const cut = [as('cut', { pace: 'broken-off' }), note('after')];
  return [
    ['first', 'uma notificação é aceita', 'a notification is taken', taken, note('first')],
    ['repeats', 'a mesma, três vezes, é aceita', 'the same one, three times, is taken', taken, same, same, same],
    ['order', 'uma mais velha é aceita', 'an older one is taken', taken, ...older],
    ['at once', 'vinte de uma vez são aceitas', 'twenty at once are taken', taken, ...many],
    ['slow', 'uma em pedaços é aceita', 'one in pieces is taken', taken, as('slow', { pace: 'slow' })],
    ['fields', 'campos novos são aceitos', 'new fields are taken', taken, note('new', { future: [{}] }, { future: 1 })],
    ['fields', 'null é aceito', 'null is taken', taken, note('null', { error: null }, { updatedAt: null })],
    ['fields', 'um evento novo é aceito', 'a new event is taken', taken, note('event', { eventType: 'Order_Future' })],
    ['token', 'sem token é recusada', 'one without a token is refused', refused, as('none', { token: null })],
    ['token', 'com outro token é recusada', 'a wrong token is refused', refused, as('x', { token: `${token}x` })],
    ['tenant', 'de outra conta', 'of another account', understood, note('a', { contractAccountId: OTHER_ACCOUNT })],
    ['tenant', 'com o token de outro tenant', 'with another tenant’s token', understood, other],
    ['hostile', 'JSON quebrado', 'broken JSON', understood, ...odd],
    ['hostile', 'bytes que não são UTF-8', 'bytes that are no UTF-8', understood, binary],
    ['hostile', 'entidade desconhecida', 'an unknown entity', understood, note('entity', { relatedEntity: 'Future' })],
    ['hostile', 'campos de outro tipo', 'fields of another type', understood, note('type', { data: 'x', error: 7 })],
    ['hostile', 'listas aninhadas', 'nested lists', understood, note('deep', { more: nested })],
    ['hostile', 'outro Content-Type', 'another Content-Type', understood, as('text', { type: 'text/plain' })],
    ['hostile', 'corpo de 6 MB', 'a body of 6 MB', understood, note('large', { more: 'x'.repeat(LARGE) })],
    ['hostile', 'corpo que não termina', 'a body without its end', taken, ...cut],
    ['last', 'depois de tudo, uma é aceita', 'after all that, one is taken', taken, note('last')],
  ];
}
