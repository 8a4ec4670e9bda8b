const NOT_SENT = 'the demo’s ERP sends none; suites of catalog-publisher do';
const OF_A_PRICE = 'the end of a price, of which the demo’s ERP sends none; suites of catalog-publisher do';
const HELD_BACK = 'needs a command that is held back, which suites of order-command-handler do';

/** Examples that no play of the demo makes, with the reason: suites wrote and read them. */
export const AS_STORED: Readonly<Record<string, string>> = {
  'price.v1.json': NOT_SENT,
  'stock.v1.json': NOT_SENT,
  'warehouse.v1.json': NOT_SENT,
  'result.v1.corrected.json': OF_A_PRICE,
  'result.v1.superseded.json': OF_A_PRICE,
  'result.v1.unconfirmed.json': OF_A_PRICE,
  'WithdrawCommand.v1.json': HELD_BACK,
  'result.v1.withdrawn.json': HELD_BACK,
  'ReleaseOrder.v1.json': 'needs an order whose 300 never came, as suites of order-command-handler make it',
  'product.create.v1.json': 'the demo’s tenant has defaults, so that no product of it names every field',
  'order-event.v1.OrderChanged.json': 'no shopper of the demo changes an order',
  'order-event.v1.OrderNeedsAttention.json': 'nothing stays open in the demo’s day',
};
