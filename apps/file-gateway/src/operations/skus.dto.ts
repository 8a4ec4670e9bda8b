import { Must } from '@gondola/service-kit/http/request-fields';
import { isIdentityText } from '@gondola/shared/topics/identities';
import { ApiProperty } from '@gondola/service-kit/http/api-docs';

const MOST_REFERENCES = 1_000;

function areReferences(value: unknown): boolean {
  return Array.isArray(value) && value.length <= MOST_REFERENCES && value.every(isIdentityText);
}

/** References that may be SKUs. */
export class AskedSkus {
  @ApiProperty({ type: [String], maxItems: MOST_REFERENCES })
  @Must(areReferences, `externalReferences is a list of at most ${MOST_REFERENCES} references`)
  readonly externalReferences!: readonly string[];
}

/** The references that are SKUs on the platform, as far as Gondola knows. */
export class KnownSkus {
  @ApiProperty({ type: [String] })
  readonly known!: readonly string[];
}
