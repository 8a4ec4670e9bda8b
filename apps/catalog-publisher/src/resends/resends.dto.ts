import { ApiPropertyOptional } from '@gondola/service-kit/http/api-docs';
import { Allow } from 'class-validator';
import type { ResendSelection } from '../records/resend.ts';

/** A request to send the known state of the shop again; `selectionOf` checks it. */
export class ResendRequest {
  @ApiPropertyOptional({ type: String, description: 'The reference of a product' })
  @Allow()
  readonly product?: unknown;

  @ApiPropertyOptional({ type: String, description: 'The reference of a category: it, those below it, their products' })
  @Allow()
  readonly category?: unknown;

  @ApiPropertyOptional({ enum: [true], description: 'Brands, categories and products' })
  @Allow()
  readonly everything?: unknown;
}

/** Null unless exactly one selection is given. */
export function selectionOf({ product, category, everything }: ResendRequest): ResendSelection | null {
  const asked: ResendSelection[] = [
    ...(typeof product === 'string' ? [{ kind: 'product', externalReference: product } as const] : []),
    ...(typeof category === 'string' ? [{ kind: 'category', externalReference: category } as const] : []),
    ...(everything === true ? [{ kind: 'everything' } as const] : []),
  ];
  const given = [product, category, everything].filter((each) => each !== undefined);
  return asked.length === 1 && given.length === 1 ? asked[0]! : null;
}
