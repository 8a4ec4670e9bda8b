import { applyDecorators, BadRequestException, Inject, Injectable, type PipeTransform } from '@nestjs/common';
import { ApiBadRequestResponse, ApiQuery } from './api-docs.ts';
import { TENANTS } from '../config/injected.ts';
import { ErrorAnswer } from './error.dto.ts';

/** The tenant in `?tenant=`, which is optional if there is only one tenant. */
@Injectable()
export class TenantPipe implements PipeTransform<string | undefined, string> {
  constructor(@Inject(TENANTS) private readonly tenants: ReadonlyArray<{ readonly id: string }>) {}

  transform(asked: string | undefined): string {
    if (asked !== undefined) return asked;
    const [only, ...others] = this.tenants;
    if (only === undefined || others.length > 0) {
      throw new BadRequestException('There are several tenants: add ?tenant=');
    }
    return only.id;
  }
}

/** Describes a route's `@Query('tenant', TenantPipe)`. */
export function ApiTenantQuery(): MethodDecorator {
  return applyDecorators(
    ApiQuery({ name: 'tenant', required: false, description: 'Required if there are several tenants' }),
    ApiBadRequestResponse({ description: 'There are several tenants, and ?tenant= is missing', type: ErrorAnswer }),
  );
}
