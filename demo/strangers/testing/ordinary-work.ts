// The work of a shop's day, each task with the milliseconds that it took.
import { randomUUID } from 'node:crypto';
import { pictureOf } from '../../erp/contents.ts';
import { TOPIC } from '../../erp/erp.ts';
import { usualPrice } from '../../erp/price-book.ts';
import type { Gondola } from '../../play/gondola.ts';
import { TENANT } from '../../play/settings.ts';
import { endsAs, publishedAs } from '../../play/step.ts';

export const TASKS = ['order', 'price', 'upload', 'page', 'sign-in'] as const;
export type Task = (typeof TASKS)[number];
/** Milliseconds of each time that a task was done. */
export type Taken = Readonly<Record<Task, number[]>>;

export interface Password {
  readonly name: string;
  readonly password: string;
}

const SOLD = '1078-1';

/** The shop's people and programs: shoppers, the ERP, and an operator whose browser has signed in before. */
export class OrdinaryWork {
  readonly #gondola: Gondola;
  readonly #operator: Password;
  /** Path of the page's script. */
  readonly #script: string;
  readonly #cookies = new Map<string, string>();
  #prices = 0;

  constructor(gondola: Gondola, { operator, script }: { readonly operator: Password; readonly script: string }) {
    this.#gondola = gondola;
    this.#operator = operator;
    this.#script = script;
  }

  /** One round of all tasks, one after the other. Rejects if one of them fails. */
  async round(taken: Taken): Promise<void> {
    for (const task of TASKS) {
      const beganAt = performance.now();
      await this.#do(task);
      taken[task].push(performance.now() - beganAt);
    }
  }

  /** The operator's name and password, from the browser that it always uses. */
  async signIn(): Promise<void> {
    const answer = await this.#ask('POST', '/session/password', this.#operator);
    if (answer.status !== 200) throw new Error(`The operator could not sign in: ${answer.status}`);
  }

  #do(task: Task): Promise<unknown> {
    const tasks: Record<Task, () => Promise<unknown>> = {
      order: () => this.#sell(),
      price: () => this.#changePrice(),
      upload: () => this.#gondola.context.uploads.send(pictureOf(1), 'image/png'),
      page: () => this.#lookAtToday(),
      'sign-in': () => this.signIn(),
    };
    return tasks[task]();
  }

  /** From the shopper's payment to the event at the ERP. */
  async #sell(): Promise<void> {
    const { context } = this.#gondola;
    const items = [{ skuExternalReference: SOLD, quantity: 1 }];
    const { number } = await context.shop.playOrder({ items, deliveryType: 'scheduled', payment: 'approved' });
    await publishedAs(context, number, 'OrderApproved');
  }

  /** From the ERP's record to its result. */
  async #changePrice(): Promise<void> {
    const { context } = this.#gondola;
    const recordId = randomUUID();
    const price = String(Number(usualPrice(SOLD)) + (this.#prices += 1));
    const value = { externalReference: SOLD, recordId, data: { price } };
    await context.erp.send(TOPIC.prices, [{ key: SOLD, value }]);
    await endsAs(context, recordId, 'applied');
  }

  /** The page Today, as a browser asks for it. */
  async #lookAtToday(): Promise<void> {
    for (const path of ['/', this.#script, '/session', `/overview?tenant=${TENANT}`]) {
      const { status } = await this.#ask('GET', path);
      if (status !== 200) throw new Error(`${path} was answered ${status}`);
    }
  }

  async #ask(method: string, path: string, body?: object): Promise<{ readonly status: number }> {
    const { console: url } = this.#gondola.urls;
    const answer = await fetch(url + path, {
      method,
      headers: {
        origin: url,
        cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      this.#cookies.set(name, value);
    }
    await answer.arrayBuffer();
    return { status: answer.status };
  }
}

/** No task has been done yet. */
export function nothingTaken(): Taken {
  return { order: [], price: [], upload: [], page: [], 'sign-in': [] };
}
