import { step, type DemoContext } from '../step.ts';

/** Shows what earlier starts left: the shelf and the orders. Changes nothing. */
export async function showWhatIsThere(context: DemoContext): Promise<void> {
  await step(context, 'what-is-there', async () => {
    const { skus, orders, byStatus } = await context.orders.counts();
    const statuses = byStatus.map(({ status, orders: count }) => `${count} in ${status ?? 'no status yet'}`);
    return {
      where: 'data of earlier starts',
      what: `${skus} SKUs and ${orders} orders${orders > 0 ? `: ${statuses.join(', ')}` : ''}`,
      notes: ['with --play, npm start plays the day again'],
      value: undefined,
    };
  });
}
