/** The one tenant of the benches. */
export const TENANT = 'bench';
export const ACCOUNT = '11111111-1111-4111-8111-111111111111';
/** Its password and its token. */
export const SECRET = 'bench-secret-of-some-length';
