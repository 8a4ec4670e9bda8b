import { BadRequestException, NotFoundException } from '@nestjs/common';

/** An order number in a path or a body; undefined when it can be none. */
export function orderNumberOf(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** As `orderNumberOf`; what can be none is answered 400. */
export function requiredOrderNumber(text: string): number {
  const orderNumber = orderNumberOf(text);
  if (orderNumber !== undefined) return orderNumber;
  throw new BadRequestException({ code: 'ORDER_NUMBER', message: 'The order number is no whole number' });
}

export function orderUnknown(): NotFoundException {
  const message = 'There is no such order, or nothing to tell of it yet';
  return new NotFoundException({ code: 'ORDER_UNKNOWN', message });
}
