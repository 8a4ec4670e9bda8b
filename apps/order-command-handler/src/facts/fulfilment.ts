import type { OrderFulfilmentDto } from '@gondola/shared/orders/order-view.dto';
import { isPlainRecord, type JsonRecord, type JsonValue } from '@gondola/shared/json/json-digits';
import { codeAndName, filledText, isDateSet, momentText, recordOf } from './platform-fields.ts';

const DELIVERY_TYPES: Readonly<Record<number, string>> = { 1: 'scheduled', 2: 'express', 3: 'pickup' };

interface Window {
  readonly windowStart: string | null;
  readonly windowEnd: string | null;
}

/**
 * Reads how an order reaches its customer. The platform sends blocks for all modalities, unused ones null or zeroed;
 * here they become one. A scheduled window is a day and two times of day, an express one two times, a pickup may have
 * either. The window of the order's own modality wins over another one.
 */
export function fulfilmentOf(data: JsonRecord): OrderFulfilmentDto {
  const details = recordOf(data['acceptedOrderDetails']);
  const type = codeAndName(data['deliveryType'], DELIVERY_TYPES);
  const windows = [scheduledWindow(details), expressWindow(details)];
  const preferred = type?.name === 'express' ? windows.toReversed() : windows;
  const { windowStart, windowEnd } = preferred.find(isUsed) ?? NO_WINDOW;
  return { type, windowStart, windowEnd, pickupPoint: pickupPointOf(data, details) };
}

const NO_WINDOW: Window = { windowStart: null, windowEnd: null };

function isUsed({ windowStart, windowEnd }: Window): boolean {
  return windowStart !== null || windowEnd !== null;
}

function scheduledWindow(details: JsonRecord): Window {
  const at = (time: JsonValue | undefined): string | null => timeOfDay(details['scheduledDate'], time);
  return { windowStart: at(details['scheduledStartTime']), windowEnd: at(details['scheduledEndTime']) };
}

function expressWindow(details: JsonRecord): Window {
  return { windowStart: momentText(details['expressStartDate']), windowEnd: momentText(details['expressEndDate']) };
}

function pickupPointOf(data: JsonRecord, details: JsonRecord): string | null {
  const point = recordOf(data['shippingPolicy'])['pickupPoint'];
  return filledText(details['pickupPointName']) ?? (isPlainRecord(point) ? filledText(point['name']) : null);
}

/**
 * Joins `2026-11-21T00:00:00` and `08:00`, `08:00:00` or `0001-01-01T08:00:00` to one local time; a full local time
 * in the second place is taken as it is.
 */
function timeOfDay(day: JsonValue | undefined, time: JsonValue | undefined): string | null {
  const whole = momentText(time);
  if (whole !== null || !isDateSet(day) || typeof time !== 'string') return whole;
  const clock = time.slice(time.indexOf('T') + 1);
  const seconds = /^\d{2}:\d{2}$/.test(clock) ? `${clock}:00` : clock;
  return momentText(`${day.slice(0, 'YYYY-MM-DD'.length)}T${seconds}`);
}
