import type { Logger } from 'pino';
import type { Operation } from '../core/operation.ts';
import { changedPayload } from '../faults/changed-payload.ts';
import type { FaultBoard } from '../faults/fault-board.service.ts';
import { corrupted } from '../faults/fault.ts';
import { poisoned } from '../faults/poison.ts';
import type { Clock } from '../runtime/clock.service.ts';
import type { Ids } from '../runtime/ids.service.ts';
import type { Signals } from '../runtime/signals.ts';
import type { Store, Table } from '../store/store.service.ts';
import { errorObject, type CoreRefusal } from '../values/refusal.ts';
import type { Deliveries } from './deliveries.service.ts';
import {
  envelopeOf,
  isSubscribed,
  rejectionsIn,
  subjectOf,
  type Notification,
  type Rejection,
} from './notification.ts';
import type { Webhooks } from './webhooks.service.ts';

/** The entity in `data` that the core refused, with the core's own route: a path below `/v1/gateway/`. */
export interface Refused extends Pick<Notification, 'relatedEntity' | 'eventType' | 'data'> {
  readonly route: string;
}

/** A refusal of the core, stored until the history sweep deletes it. */
export interface StoredRejection extends Rejection {
  readonly seq: number;
  readonly at: number;
}

export interface NotifierServices {
  readonly store: Store;
  readonly webhooks: Webhooks;
  readonly deliveries: Deliveries;
  readonly faults: FaultBoard;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly signals: Signals;
  readonly logger: Logger;
}

/** Stores notifications and their refusals in the unit of work of the change. */
export class Notifier {
  readonly rejections: Table<number, StoredRejection>;
  private readonly byOperation = new Map<string, Set<number>>();

  constructor(private readonly services: NotifierServices) {
    this.rejections = services.store.table('rejections');
    this.rejections.watch((seq, after, before) => {
      const operationId = (after ?? before)?.operationId ?? '';
      const ofOperation = this.byOperation.get(operationId) ?? new Set();
      if (after) this.byOperation.set(operationId, ofOperation.add(seq));
      else ofOperation.delete(seq);
      if (ofOperation.size === 0) this.byOperation.delete(operationId);
    });
  }

  rejectionsOf(operationId: string): StoredRejection[] {
    return [...(this.byOperation.get(operationId) ?? [])].flatMap((seq) => this.rejections.get(seq) ?? []);
  }

  /** Notifies a refusal whose error is in the envelope. */
  refuse(
    { operationId, contractAccountId }: Pick<Operation, 'operationId' | 'contractAccountId'>,
    { route, ...about }: Refused,
    refusal: CoreRefusal,
  ): void {
    const context = { instance: `/v1/gateway/${route}`, traceId: this.services.ids.newTraceId() };
    this.notify({ operationId, contractAccountId, ...about, error: errorObject(refusal, context) });
  }

  /** Without a subscription a notification is dropped; only its refusals are stored. */
  notify(notification: Notification): void {
    const { store, clock, webhooks, deliveries, signals } = this.services;
    for (const rejection of rejectionsIn(notification)) {
      const seq = store.next('rejections');
      this.rejections.put(seq, { seq, at: clock.now(), ...rejection });
      this.log(rejection);
    }
    const { contractAccountId, eventType } = notification;
    if (!isSubscribed(webhooks.of(contractAccountId)?.registration, eventType)) return;
    deliveries.add(this.delivery(notification));
    signals.sender.give();
  }

  private log({ operationId, contractAccountId, eventType, about, sku, error }: Rejection): void {
    const { statusCode, detail, validationErrors } = error;
    const reasons = validationErrors.map(({ key, validation }) => `${key} ${validation}`);
    const fields = { operationId, contractAccountId, eventType, externalReference: about, skuExternalReference: sku };
    this.services.logger.warn(
      { ...fields, statusCode, detail: [detail, ...reasons].join(' ') },
      'The core refused an item',
    );
  }

  private delivery(notification: Notification) {
    const { operationId, contractAccountId, eventType } = notification;
    const subject = subjectOf(notification);
    const aim = () => ({
      orderNumber: subject.orderNumber ?? undefined,
      products: subject.reference === null ? [] : [subject.reference],
    });
    const { changes, poison, leftShare, ...plan } = this.services.faults.planDelivery(notification, aim);
    const changed = changedPayload(envelopeOf(notification), changes);
    const whole = Buffer.from(JSON.stringify(poison ? poisoned(changed, poison) : changed), 'utf8');
    const body = leftShare === undefined ? whole : corrupted(whole, leftShare);
    return { operationId, contractAccountId, eventType, ...subject, body, ...plan };
  }
}
