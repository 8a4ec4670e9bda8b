import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from './api-docs.ts';
import { IsIn, IsOptional, ValidateBy } from 'class-validator';

/** An optional query parameter: any text, or one of `choices`. For DTO classes behind `RequestPipe`. */
export function QueryParameter(description: string, choices?: readonly string[]): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ description, ...(choices === undefined ? { type: String } : { enum: choices }) }),
    IsOptional(),
    ...(choices === undefined ? [] : [IsIn(choices, { message: `$property is one of: ${choices.join(', ')}` })]),
  );
}

/** An optional query parameter of digits within limits; its value stays a text. */
export function WholeNumberParameter(
  description: string,
  { minimum, maximum }: { readonly minimum: number; readonly maximum: number },
): PropertyDecorator {
  const isWithin = (text: unknown) => {
    const isDigits = /^\d{1,16}$/.test(String(text));
    return isDigits && Number(text) >= minimum && Number(text) <= maximum;
  };
  return applyDecorators(
    ApiPropertyOptional({ type: 'integer', minimum, maximum, description }),
    IsOptional(),
    Must(isWithin, `$property is a whole number from ${minimum} to ${maximum}`),
  );
}

/** A field of a request that must pass a check; `message` describes the expected value. */
export function Must(check: (value: unknown) => boolean, message: string): PropertyDecorator {
  return ValidateBy({ name: 'must', validator: { validate: check } }, { message });
}
