import { Open } from '@gondola/service-kit/http/answer-fields';
import { ApiProperty } from '@gondola/service-kit/http/api-docs';
import { ErrorAnswer } from '@gondola/service-kit/http/error.dto';
import { isTextOf, Must } from '@gondola/service-kit/http/request-fields';
import { SIGN_IN_METHODS, type SignInMethod } from '../operators/operator.ts';

const MAX_LENGTH = 1_000;
const TEXT = { minLength: 1, maxLength: MAX_LENGTH } as const;

function Text(): PropertyDecorator {
  return (target, property) => {
    ApiProperty(TEXT)(target, property);
    Must(
      (value) => isTextOf(value, { least: 1, most: MAX_LENGTH }),
      `$property is a text of 1 to ${MAX_LENGTH} characters`,
    )(target, property);
  };
}

/** The secret of a link that signs in once. */
export class LinkSignIn {
  @Text()
  readonly secret!: string;
}

export class PasswordSignIn {
  @Text()
  readonly name!: string;

  @Text()
  readonly password!: string;
}

class ShownOperator {
  @Open()
  readonly name!: string;
}

class ShownShop {
  @Open()
  readonly id!: string;

  @Open({ description: 'True: may act; false: may only see' })
  readonly act!: boolean;
}

/** Who is signed in, and for which shops. */
export class ShownSession {
  @Open({ type: ShownOperator })
  readonly operator!: ShownOperator;

  @Open({ type: [ShownShop] })
  readonly tenants!: readonly ShownShop[];
}

/** Nobody is signed in. */
export class SignedOut extends ErrorAnswer {
  @Open({ enum: SIGN_IN_METHODS, isArray: true, description: 'Ways to sign in' })
  readonly methods!: readonly SignInMethod[];
}
