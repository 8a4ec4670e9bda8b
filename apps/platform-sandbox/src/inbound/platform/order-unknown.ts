import { NotFoundException } from '@nestjs/common';

export function orderUnknown(): NotFoundException {
  return new NotFoundException({
    code: 'ORDER_UNKNOWN',
    message: 'There is no such order, or nothing to tell of it yet',
  });
}
