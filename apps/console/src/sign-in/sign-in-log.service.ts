import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { operatorName } from '@gondola/service-kit/logging/operator';
import { scrubText } from '@gondola/service-kit/logging/scrub';
import { Inject, Injectable } from '@nestjs/common';
import { type SignedIn, type SignInMethod, shownName } from '../operators/operator.ts';

/** A sign-in that proved nobody. */
export interface RefusedSignIn {
  readonly method: SignInMethod;
  /** As it was typed; null without one. */
  readonly name: string | null;
  readonly address: string;
}

const LONGEST_NAME = 100;
const REFUSED = 'An attempt to sign in to the console was refused';

/** Logs each sign-in in one line, with its name and address, and without any secret. */
@Injectable()
export class SignInLog {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  signedIn(signedIn: SignedIn, address: string): void {
    this.logger.info(fieldsOf(signedIn, address), 'An operator signed in to the console');
  }

  /** Somebody proved who he is, and may see no shop. */
  noRights(signedIn: SignedIn, address: string): void {
    this.logger.warn({ ...fieldsOf(signedIn, address), reasonCode: 'NO_RIGHTS' }, REFUSED);
  }

  /** The name may be anything that somebody typed: it is scrubbed and cut. */
  refused({ method, name, address }: RefusedSignIn): void {
    const operator = name === null ? null : operatorName(scrubText(name, LONGEST_NAME));
    this.logger.warn({ method, operator, callerAddress: address, reasonCode: 'NOT_PROVED' }, REFUSED);
  }

  /** The provider of OpenID Connect did not answer as it should, or proved nobody. */
  failed(err: unknown, address: string): void {
    this.logger.warn({ err, method: 'oidc', callerAddress: address }, 'A sign-in by OpenID Connect failed');
  }
}

function fieldsOf(signedIn: SignedIn, callerAddress: string): object {
  const { method, subject } = signedIn;
  return { method, operator: shownName(signedIn), operatorSubject: subject, callerAddress };
}
