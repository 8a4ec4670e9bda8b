import { applyDecorators, Controller, NotFoundException } from '@nestjs/common';
import { DescribeAll } from '../openapi/describe.decorator.ts';

/** Routes of the admin API, protected by the operations guard of the service kit. */
export function AdminRoutes(prefix = ''): ClassDecorator {
  return applyDecorators(
    Controller(`admin/${prefix}`),
    DescribeAll({ errors: { 401: 'The operations token is missing or wrong' } }),
  );
}

export const NOT_FOUND = { 404: 'There is none' };

/** Most entries of a log in one answer; a reader continues after its last `seq`. */
export const MAX_ENTRIES = 5_000;

export function unknown(what: string): NotFoundException {
  return new NotFoundException({ code: 'UNKNOWN', message: `There is no such ${what}` });
}
