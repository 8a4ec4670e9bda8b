import { Open } from '@gondola/service-kit/http/answer-fields';
import { ApiPropertyOptional } from '@gondola/service-kit/http/api-docs';
import { IsOptional } from 'class-validator';
import { CountedRows } from '@gondola/service-kit/http/counted.dto';
import { PageQuery } from '@gondola/service-kit/http/page.dto';
import { isTextOf, Must, QueryParameter, WholeNumberParameter } from '@gondola/service-kit/http/request-fields';
import { REJECTED, type Rejection } from '../lanes/rejections.repository.ts';
import { CATALOG_TOPICS } from '../records/catalog-kinds.ts';

/** Why the last record of an entity was not applied. */
export class ShownRejection implements Rejection {
  @Open({ description: 'For `before`' })
  readonly id!: string;

  @Open()
  readonly tenant!: string;

  @Open({ enum: Object.keys(CATALOG_TOPICS) })
  readonly kind!: string;

  @Open()
  readonly externalReference!: string;

  @Open()
  readonly commandId!: string;

  @Open({ enum: REJECTED })
  readonly outcome!: Rejection['outcome'];

  @Open({ description: 'Code of the first error' })
  readonly reason!: string;

  @Open({ description: 'In the ERP’s name; empty for none' })
  readonly field!: string;

  @Open({ description: 'A sentence in the language of the tenant, for the ERP’s people' })
  readonly message!: string;

  @Open()
  readonly rejectedAt!: Date;
}

/** Selects rejections. */
export class RejectionsQuery extends PageQuery {
  @QueryParameter('Needed with several tenants')
  readonly tenant?: string;

  @QueryParameter('Only of this kind of entity', Object.keys(CATALOG_TOPICS))
  readonly kind?: string;

  @QueryParameter('Only with this reason code')
  readonly reason?: string;

  @QueryParameter('Only about this field')
  readonly field?: string;
}

export class RejectionGroupsQuery {
  @QueryParameter('Needed with several tenants')
  readonly tenant?: string;
}

/** Entities whose last record was rejected for one reason. */
export class RejectionGroup extends CountedRows {
  @Open()
  readonly reason!: string;

  @Open({ description: 'In the ERP’s name; empty for none' })
  readonly field!: string;

  @Open({ type: ShownRejection, description: 'The newest' })
  readonly example!: Rejection;
}

export class RejectionGroups {
  @Open({ type: [RejectionGroup] })
  readonly groups!: readonly RejectionGroup[];
}

const MAX_SEARCH = 200;

/** Looks for products. */
export class ProductsQuery {
  @QueryParameter('Needed with several tenants')
  readonly tenant?: string;

  @ApiPropertyOptional({
    type: String,
    maxLength: MAX_SEARCH,
    description:
      'The beginning of its reference, or beginnings of words of its name, of EANs, of references of its SKUs',
  })
  @IsOptional()
  @Must((text) => isTextOf(text, { most: MAX_SEARCH }), `search has at most ${MAX_SEARCH} characters`)
  readonly search?: string;

  @QueryParameter('Value of `next` from the page before')
  readonly after?: string;

  @WholeNumberParameter('Maximum number of entries', { minimum: 1, maximum: 200, default: 50 })
  readonly limit?: string;
}

/** A product in a list. */
export class ListedProduct {
  @Open()
  readonly externalReference!: string;

  @Open({ type: String, nullable: true })
  readonly name!: string | null;

  @Open({ description: 'The shop was seen to have it' })
  readonly exists!: boolean;

  @Open({ description: 'A record of it has no outcome yet' })
  readonly isOpen!: boolean;

  @Open({ type: ShownRejection, nullable: true, description: 'Why its last record was not applied' })
  readonly rejection!: Rejection | null;

  @Open()
  readonly updatedAt!: Date;
}

export class ProductPage {
  @Open({ type: [ListedProduct], description: 'In the order of their references' })
  readonly entries!: readonly ListedProduct[];

  @Open({ type: String, nullable: true, description: 'Value of `after` for the next page; null: the last page' })
  readonly next!: string | null;
}
