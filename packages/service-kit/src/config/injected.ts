/** Injects the app's whole configuration: `@Inject(CONFIG) config: Pick<Config, 'lanes'>`. */
export const CONFIG = Symbol('gondola.config');

/** Injects the tenants of the configuration: `@Inject(TENANTS) tenants: readonly TenantConfig<'platform'>[]`. */
export const TENANTS = Symbol('gondola.tenants');
