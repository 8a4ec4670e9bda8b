import { CONFIG } from '@gondola/service-kit/config/injected';
import { Inject, Injectable } from '@nestjs/common';
import { type Operator, rightsBy, type Roles, type SignedIn } from './operator.ts';
import type { OperatorsFile } from './operators-file.adapter.ts';

/** Settings that say who may do what. */
export interface OperatorsConfig {
  readonly operators: OperatorsFile;
  readonly tenants: ReadonlyArray<{ readonly id: string }>;
  readonly console: { readonly linkSecret: string | null };
  readonly oidc: object | null;
}

/** Rights of those who signed in, by the present configuration. */
@Injectable()
export class Operators {
  readonly tenants: readonly string[];

  constructor(@Inject(CONFIG) private readonly config: OperatorsConfig) {
    this.tenants = config.tenants.map(({ id }) => id);
  }

  /** Null if the operator has no right any more, such as a user that was removed from the file. */
  operatorOf(signedIn: SignedIn): Operator | null {
    const rights = rightsBy(this.#rolesOf(signedIn), this.tenants);
    return rights.size === 0 ? null : { name: signedIn.name, rights };
  }

  #rolesOf({ method, name, groups }: SignedIn): readonly Roles[] {
    const { operators, console: settings, oidc } = this.config;
    if (method === 'link') return settings.linkSecret === null ? [] : [{ '*': 'act' }];
    if (method === 'password') return [operators.users.get(name)?.roles ?? {}];
    return oidc === null ? [] : groups.map((group) => operators.groups.get(group) ?? {});
  }
}
