import { applyDecorators } from '@nestjs/common';
import { Open } from './answer-fields.ts';
import { ApiResponse, ApiSchema } from './api-docs.ts';
import type { ErrorBody } from './error-body.ts';

class ErrorContent {
  @Open()
  readonly code!: string;

  @Open()
  readonly message!: string;
}

/** Body of every error answer, for the OpenAPI document. */
@ApiSchema({ name: 'Error' })
export class ErrorAnswer implements ErrorBody {
  @Open()
  readonly error!: ErrorContent;
}

/** Error answers of a route for the OpenAPI document: a description for each status. */
export function ApiErrors(meanings: Readonly<Record<number, string>>): MethodDecorator {
  const answers = Object.entries(meanings).map(([status, description]) =>
    ApiResponse({ status: Number(status), description, type: ErrorAnswer }),
  );
  return applyDecorators(...answers);
}
