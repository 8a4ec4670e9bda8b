import type { Sandbox } from './sandbox.ts';

const PRODUCTS = 24;
const ORDERS = 4;

/** Opens a shop, unless there is one, and returns lines that lead into it. */
export async function showDemo({ url, seed, products }: Sandbox): Promise<string> {
  const isOpen = products.table.size > 0;
  const size = isOpen
    ? { products: 0, orders: 0, brands: 0, categories: 0, pictures: 0 }
    : { products: PRODUCTS, orders: ORDERS, brands: 8, categories: 12, pictures: PRODUCTS };
  const { contractAccountId, username, password, orders } = await seed.carryOut({ seed: 1, notify: false, ...size });
  const login = `-u ${username}:${password ?? '<password>'} -H 'x-contractAccountId: ${contractAccountId}'`;
  const order = orders.first ?? 100_001;
  return [
    `The sandbox of the shop platform    ${url}`,
    `All routes, with examples           ${url}/docs`,
    '',
    'The status of a paid order:',
    `  curl ${login} ${url}/v1/Orders/${order}/status`,
    'Its preparation begins:',
    `  curl -X PATCH ${login} -H 'content-type: application/json' -d '{"status":"ORDER_BEING_PREPARED"}' ${url}/v1/Orders/${order}/status`,
    'A shopper buys 300 g of cheese:',
    `  curl ${url}/admin/orders -H 'content-type: application/json' -d '{"items":[{"skuExternalReference":"1001-1","quantity":0.3}],"payment":"approved"}'`,
    '',
    'Running until Ctrl-C.',
    '',
  ].join('\n');
}
