import { NotFoundException } from '@nestjs/common';

export function unknown(what: string): NotFoundException {
  return new NotFoundException({ code: 'UNKNOWN', message: `There is no such ${what}` });
}
