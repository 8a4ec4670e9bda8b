import { CONFIG } from '@gondola/service-kit/config/injected';
import { Inject, Injectable } from '@nestjs/common';
import { credentialFingerprint, type CredentialsConfig } from './credential.ts';
import { type Operator, rightsBy, type Roles, shownName, type SignedIn } from './operator.ts';

/** Settings that say who may do what. */
export interface OperatorsConfig extends CredentialsConfig {
  readonly tenants: ReadonlyArray<{ readonly id: string }>;
}

/** Rights and credentials of those who signed in, by the present configuration. */
@Injectable()
export class Operators {
  readonly tenants: readonly string[];

  constructor(@Inject(CONFIG) private readonly config: OperatorsConfig) {
    this.tenants = config.tenants.map(({ id }) => id);
  }

  /** Null if the operator has no right any more, such as a user that was removed from the file. */
  operatorOf(signedIn: SignedIn): Operator | null {
    const rights = rightsBy(this.#rolesOf(signedIn), this.tenants);
    const { method, subject } = signedIn;
    return rights.size === 0 ? null : { name: shownName(signedIn), method, subject, rights };
  }

  /** Fingerprint of what somebody signs in with now; null if there is no such thing any more. */
  credentialOf(signedIn: SignedIn): Buffer | null {
    return credentialFingerprint(signedIn, this.config);
  }

  #rolesOf({ method, name, groups }: SignedIn): readonly Roles[] {
    const { operators, console: settings, oidc } = this.config;
    if (method === 'link') return settings.linkSecret === null ? [] : [{ '*': 'act' }];
    if (method === 'password') return [operators.users.get(name)?.roles ?? {}];
    return oidc === null ? [] : groups.map((group) => operators.groups.get(group) ?? {});
  }
}
