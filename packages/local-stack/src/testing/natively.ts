declare global {
  /** Of infra/jest-environment.js. */
  function importNatively(url: string): Promise<unknown>;
}

/**
 * A module as Node.js itself loads it, once for all suites of a Jest process and not once by each. For suites that know
 * an app by HTTP, Kafka and the database alone: a class that the module and the suite both load exists twice.
 *
 * @param url of the module, such as `new URL('order-app.ts', import.meta.url)`
 */
export async function natively<T>(url: URL): Promise<T> {
  return (await importNatively(url.href)) as T;
}
