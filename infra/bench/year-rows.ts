import { OrderNotifications, ORDER_ZERO, SKUS } from './order-notifications.ts';
import { POLICY, productRecord } from './catalog-records.ts';
import { TENANT } from './tenant.ts';

/** Bytes of an invoice's PDF. */
const PDF_BYTES = 60_000;
const FACTS = [250, 300, 400, 350, 400, 500, 600, 700];
const COMMANDS = ['StartPreparation', 'ReportPicking', 'RegisterInvoice', 'MarkReady', 'Ship'];
/** A busy shop: 10 million notifications and 300,000 orders a year, by the day, and 40,000 products. */
export function yearOf(scale: number) {
  const of = (rows: number) => Math.max(1, Math.round(rows * scale));
  return { notifications: of(10_000_000 / 365), orders: of(300_000 / 365), products: of(40_000) };
}

export type Year = ReturnType<typeof yearOf>;

/** The number of an order that is so many days old. */
export const orderOf = ({ orders }: Year, days: number): number => ORDER_ZERO + (365 - days) * orders;
export const productOf = (product: number): string => `p-${String(product).padStart(6, '0')}`;

const PRODUCT = `'p-' || lpad(product::text, 6, '0')`;
const TRACE = '00-00000000000000000000000000000001-0000000000000001-01';
const text = (value: string) => `'${value.replaceAll("'", "''")}'`;
const hash = (of: string) => `encode(sha256((${of})::text::bytea), 'hex')`;
/** The platform's body of an order, with the number of the row `number`. */
const ORDER_BODY = (part: 'body' | 'data') => {
  const body = new OrderNotifications('abcdefabcdef').order(0).toString();
  const whole = part === 'body' ? body : JSON.stringify((JSON.parse(body) as { data: object }).data);
  return `convert_to(replace(${text(whole)}, '"number":${ORDER_ZERO}', '"number":' || number), 'UTF8')`;
};
const PRODUCT_BODY = text(productRecord('x', 1).value);

/**
 * The rows that a year leaves with the retentions of docs/retention.md, and one day's more that are due to be deleted,
 * as of `at`: SQL by app, oldest rows first.
 */
export function yearRows({ notifications, orders, products }: Year, at: string): Record<string, readonly string[]> {
  const allOrders = 365 * orders;
  /** Rows of `perDay` a day for so many days: `n` from 1, and the time `at` at which each came. */
  const daily = (days: number, perDay: number) => `
    (SELECT n, '${at}'::timestamptz - (${days * perDay} - n)::float8 / ${perDay} * interval '1 day' AS at
     FROM generate_series(1, ${days * perDay}) AS n) AS row`;
  /** Orders of the last days by `lane` and `number`. */
  const ordersOf = (days: number) => `
    (SELECT ${allOrders - days * orders} + n AS lane, ${ORDER_ZERO + allOrders - days * orders} + n AS number, at, n
     FROM ${daily(days, orders)}) AS one`;
  const commands = (from: string, columns: Record<string, string>) => {
    const all = {
      tenant: `'${TENANT}'`,
      traceparent: `'${TRACE}'`,
      received_at: 'at',
      state: `'done'`,
      attempts: '1',
      first_sent_at: 'at',
      outcome: `'applied'`,
      finished_at: 'at',
      ...columns,
    };
    return `INSERT INTO commands (${Object.keys(all).join(', ')}) SELECT ${Object.values(all).join(', ')} FROM ${from}`;
  };

  return {
    webhook_ingest: [
      `INSERT INTO notifications (dedup_key, tenant, operation_id, event_type, related_entity, topic, partition_key, subject,
         body, traceparent, received_at, sent_at, erased_bytes, erased_at)
       SELECT '${TENANT}:' || operation || ':' || event || ':' || ${hash('n')}, '${TENANT}', operation, event, entity,
         'platform.notifications.' || topic || '.v1', '${TENANT}/' || subject, subject,
         CASE WHEN NOT has_body THEN NULL WHEN is_order THEN ${ORDER_BODY('body')} ELSE convert_to(${PRODUCT_BODY}, 'UTF8') END,
         '${TRACE}', at, at, CASE WHEN NOT has_body THEN 6000 END, CASE WHEN NOT has_body THEN at END
       FROM (
         SELECT *, md5(n::text)::uuid::text AS operation, at > '${at}'::timestamptz - interval '31 days' AS has_body,
           CASE WHEN is_order THEN 'Order_Updated' ELSE 'ProductWithSKUs_Updated' END AS event,
           CASE WHEN is_order THEN 'Order' ELSE 'ProductWithSKUs' END AS entity,
           CASE WHEN is_order THEN 'orders' ELSE 'catalog' END AS topic,
           CASE WHEN is_order THEN 'order/' || number ELSE 'product/p-' || lpad((n % ${products})::text, 6, '0') END AS subject
         FROM (SELECT *, n % 25 < 6 AS is_order,
             ${ORDER_ZERO + allOrders} - ((${181 * notifications} - n)::float8 / ${notifications} * ${orders})::bigint AS number
           FROM ${daily(181, notifications)}) AS one) AS each ORDER BY n`,
      `INSERT INTO quarantine (dedup_key, tenant, reason, detail, body, traceparent, received_at, state)
       SELECT 'q' || n, '${TENANT}', 'NOT_JSON', 'cause ' || n % 5, '\\x01', '${TRACE}', at, CASE WHEN n % 9 = 0 THEN 'open' ELSE 'discarded' END
       FROM ${daily(30, 10)}`,
      `INSERT INTO delivery_hours (hour, tenant, outcome, deliveries)
       SELECT date_trunc('hour', '${at}'::timestamptz) - n * interval '1 hour', '${TENANT}', outcome, 100
       FROM generate_series(0, 47) AS n, unnest(ARRAY['stored', 'repeated']) AS outcome`,
    ],

    order_command_handler: [
      // That of recovery, which the app creates again.
      'DELETE FROM lanes',
      `INSERT INTO lanes (id, tenant, kind, identity) OVERRIDING SYSTEM VALUE
       SELECT lane, '${TENANT}', 'order', number FROM ${ordersOf(365)}`,
      `INSERT INTO orders (lane_id, tenant, order_number, order_id, status, revision, published_status, published_parts,
         published_at, status_since, folded_up_to, folded_facts, look_at, attention)
       SELECT lane, '${TENANT}', number, md5(lane::text)::uuid, CASE WHEN at > '${at}'::timestamptz - interval '1 day' THEN 400 ELSE 700 END,
         4, 700, (SELECT json_object_agg('part' || p, substr(md5(p::text), 1, 16)) FROM generate_series(1, 16) AS p), at, at,
         lane * ${FACTS.length}, ARRAY(SELECT lane * ${FACTS.length} - f FROM generate_series(0, 7) AS f), NULL,
         CASE WHEN n % 4000 = 0 THEN '[]'::json END FROM ${ordersOf(365)}`,
      `INSERT INTO order_facts (lane_id, tenant, order_number, dedup_key, source, event_type, failure, operation_id, status,
         updated_at, updated_ticks, order_id, has_items, hash, data, traceparent, received_at, is_redacted)
       SELECT lane, '${TENANT}', number, '${TENANT}:' || operation || ':Order_Updated:' || hash, 'notification', 'Order_Updated',
         false, operation, status, to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS.MS'), extract(epoch FROM at)::bigint * 10000000 + place,
         md5(lane::text)::uuid, true, hash, ${ORDER_BODY('data')}, '${TRACE}', at, at < '${at}'::timestamptz - interval '181 days'
       FROM (SELECT *, md5(lane || '/' || place)::uuid::text AS operation, ${hash(`lane || '/' || place`)} AS hash
         FROM ${ordersOf(365)}, unnest(ARRAY[${FACTS.join(', ')}]) WITH ORDINALITY AS fact (status, place)) AS each`,
      `INSERT INTO published_records (lane_id, published_at, kind, record_id, type, revision, status, command_id, cause,
         outcome, is_correction, evidence)
       SELECT lane, at, CASE WHEN place < 5 THEN 'event' ELSE 'result' END, '${TENANT}:order:' || number || ':' || place,
         'OrderStatusChanged', place, 300, CASE WHEN place > 4 THEN 'c-' || number || '-' || place END, 'notification',
         CASE WHEN place > 4 THEN 'applied' END, false, CASE WHEN place > 4 THEN 'event' END
       FROM ${ordersOf(365)}, generate_series(1, 9) AS place`,
      commands(`${ordersOf(91)}, unnest(ARRAY[${COMMANDS.map(text).join(', ')}]) WITH ORDINALITY AS c (name, place)`, {
        lane_id: 'lane',
        topic: `'erp.orders.commands.v1'`,
        command_id: `'c-' || number || '-' || place`,
        command: 'name',
        content_hash: hash('number'),
        value: `CASE WHEN place IN (2, 3) THEN ${ORDER_BODY('data')} ELSE convert_to('{"orderNumber":' || number || '}', 'UTF8') END`,
        progress: `json_build_object('attempts', json_build_array(), 'read', json_build_object('purpose', 'target', 'at', at,
          'attempts', 1, 'count', 1, 'status', 400), 'operations', json_build_array(md5(n::text)::uuid, md5('1')::uuid))`,
        result_id: `'${TENANT}:result:erp.orders.commands.v1:c-' || number || '-' || place || ':applied'`,
      }),
      `INSERT INTO pdf_results (tenant, result_id, parent_command_id, value, received_at)
       SELECT '${TENANT}', '${TENANT}:result:erp.files.commands.v1:' || number, 'c-' || number || '-3', convert_to(repeat(md5(n::text), 20), 'UTF8'), at
       FROM ${ordersOf(91)}`,
      `INSERT INTO skus (key, tenant, sku_external_reference, sku_id, product_id, ean, reference, name)
       SELECT '${TENANT}/' || product, '${TENANT}', 'p-' || product, CASE WHEN product <= ${SKUS}
         THEN '9b1de2aa-0000-4000-8000-' || lpad((product - 1)::text, 12, '0') ELSE md5(product::text)::uuid::text END,
         md5(product::text)::uuid, '7891000100103', 'p-' || product, 'Queijo Minas Frescal, peça' FROM generate_series(1, ${products}) AS product`,
      `INSERT INTO dead_letters (id, consumer_group, topic, partition, record_offset, headers, tenant, reason_code, reason, dead_at, last_failed_at)
       SELECT 'g/' || n, 'g', 'erp.orders.commands.v1', n % 3, n, '[]', '${TENANT}', 'R' || n % 5, '-', at, at FROM ${daily(31, 100)}`,
    ],

    catalog_publisher: [
      ...['product', 'price', 'stock'].map(
        (kind, place) => `INSERT INTO lanes (id, tenant, kind, identity) OVERRIDING SYSTEM VALUE
         SELECT ${place * products} + product, '${TENANT}', '${kind}', ${PRODUCT} FROM generate_series(1, ${products}) AS product`,
      ),
      `INSERT INTO products (lane_id, tenant, external_reference, known, name, words)
       SELECT product, '${TENANT}', ${PRODUCT}, ${text(
         JSON.stringify({
           exists: true,
           mayExist: true,
           skus: ['x-1-0'],
           applied: { product: JSON.parse(productRecord('x', 1).value) as object, skus: {} },
           sourceVersion: null,
           pastOperationIds: [],
           unconfirmed: [],
           snapshot: null,
           lastEnd: null,
         }),
       )}, 'Produto ' || product, 'Produto ' || product || ' 789' || lpad(product::text, 10, '0')
       FROM generate_series(1, ${products}) AS product`,
      `INSERT INTO skus (tenant, external_reference, lane_id, product_reference, version, snapshot)
       SELECT '${TENANT}', ${PRODUCT}, product, ${PRODUCT}, 1, repeat(md5(product::text), 20) FROM generate_series(1, ${products}) AS product`,
      `INSERT INTO product_references (lane_id, tenant, kind, external_reference)
       SELECT product, '${TENANT}', kind, 'r-' || product % 500 FROM generate_series(1, ${products}) AS product, unnest(ARRAY['brand', 'category']) AS kind`,
      `INSERT INTO value_lanes (lane_id, state, tenant, kind, external_reference)
       SELECT ${products} + place * ${products} + product, '{"sourceVersion":null,"applied":{"price":12.45,"listPrice":14.9},"appliedAt":null,"turn":90,"pastOperationIds":["' || md5(product::text)::uuid || '"],"settled":[]}',
         '${TENANT}', kind, ${PRODUCT} FROM generate_series(1, ${products}) AS product, unnest(ARRAY['price', 'stock']) WITH ORDINALITY AS k (kind, place1), LATERAL (SELECT place1 - 1 AS place) AS zero`,
      `INSERT INTO rejections (lane_id, tenant, kind, external_reference, command_id, outcome, reason, field, message)
       SELECT product, '${TENANT}', 'product', ${PRODUCT}, 'c' || product, 'invalid', 'FIELD_TYPE', 'field' || product % 20, 'Erro'
       FROM generate_series(1, ${Math.ceil(products / 10)}) AS product`,
      `INSERT INTO loads (tenant, load_id, source, started_at) SELECT '${TENANT}', 'prices-' || n, 'topic', at FROM ${daily(91, 1)}`,
      commands(
        `(SELECT at, ceil(n::float8 / ${products}) AS day, 1 + n % ${products} AS product FROM ${daily(91, products)}) AS each`,
        {
          lane_id: `${products} + product`,
          topic: `'erp.catalog.prices.v1'`,
          command_id: `'erp.catalog.prices.v1/' || day || '/' || product`,
          command: `'upsert'`,
          content_hash: hash('product'),
          value: `convert_to('{"skuExternalReference":"' || ${PRODUCT} || '","commercialPolicyId":"${POLICY}","price":12.45,"listPrice":14.90,"recordId":"' || day || '/' || product || '"}', 'UTF8')`,
          load_id: `'prices-' || day`,
          result_id: `'${TENANT}:result:erp.catalog.prices.v1:' || day || '/' || product || ':applied'`,
        },
      ),
      `INSERT INTO operations (tenant, operation_id, lane_id, sent_at)
       SELECT '${TENANT}', md5((n / 100)::text)::uuid, ${products} + 1 + n % ${products}, at FROM ${daily(8, products)}`,
    ],

    file_gateway: [
      `INSERT INTO lanes (id, tenant, kind, identity) OVERRIDING SYSTEM VALUE
       SELECT lane, '${TENANT}', 'order-invoice', number FROM ${ordersOf(92)}`,
      commands(ordersOf(91), {
        lane_id: 'lane',
        topic: `'erp.files.commands.v1'`,
        command_id: `'pdf-' || number`,
        command: `'UploadInvoicePdf'`,
        content_hash: hash('number'),
        value: `convert_to('{"orderNumber":' || number || ',"orderId":"' || md5(lane::text)::uuid || '","content":{"uploadId":"' || md5(n::text)::uuid || '"}}', 'UTF8')`,
        result_id: `'${TENANT}:result:erp.files.commands.v1:pdf-' || number || ':applied'`,
      }),
      `INSERT INTO command_results (command_row_id, lane_id, result, saved_at)
       SELECT n, lane, json_build_object('outcome', 'applied', 'text', repeat(md5(n::text), 20)), at FROM ${ordersOf(31)}`,
      `INSERT INTO file_operations (tenant, operation_id, command_row_id, lane_id, started_at)
       SELECT '${TENANT}', md5(n::text)::uuid, n, lane, at FROM ${ordersOf(31)}`,
      `INSERT INTO platform_failures (dedup_key, tenant, operation_id, event_type, lane_kind, lane_identity, error, received_at)
       SELECT 'f' || n, '${TENANT}', md5(n::text)::uuid, 'Operation_Failed', 'order-invoice', n, '\\x7b7d', at FROM ${daily(15, 10)}`,
      `INSERT INTO uploads (id, tenant, state, media_type, size, sha256, created_at, expires_at)
       SELECT md5(n::text)::uuid, '${TENANT}', 'complete', 'application/pdf', ${PDF_BYTES}, ${hash('n')}, at, at + interval '7 days' FROM ${daily(8, orders)}`,
      `INSERT INTO upload_chunks (upload_id, position, content)
       SELECT md5(n::text)::uuid, 0, decode(repeat(md5(n::text), ${PDF_BYTES / 16}), 'hex') FROM generate_series(1, ${8 * orders}) AS n`,
      `INSERT INTO order_ids (tenant, order_number, order_id, seen_at)
       SELECT '${TENANT}', ${ORDER_ZERO} - ${orders} + n, md5(n::text)::uuid, at FROM ${daily(366, orders)}`,
      `INSERT INTO invoice_files (tenant, order_id, sha256, updated_at)
       SELECT '${TENANT}', md5(n::text)::uuid, ${hash('n')}, at FROM ${daily(366, orders)}`,
      `INSERT INTO skus (tenant, external_reference) SELECT '${TENANT}', ${PRODUCT} FROM generate_series(1, ${products}) AS product`,
      `INSERT INTO sku_images (tenant, external_reference, applied)
       SELECT '${TENANT}', ${PRODUCT}, json_build_object('sha256ByOrder', json_build_object('1', md5('1') || md5('2')), 'urls', json_build_array())
       FROM generate_series(1, ${products}) AS product`,
    ],
  };
}

/** The oldest row of each table that is swept by time, by app: null without one. */
export const OLDEST: Readonly<Record<string, ReadonlyArray<readonly [what: string, days: number, oldest: string]>>> = {
  webhook_ingest: [
    [
      'bodies of notifications',
      30,
      `SELECT min(received_at) AS at FROM notifications WHERE tenant = '${TENANT}' AND body IS NOT NULL`,
    ],
    [
      'keys of notifications',
      180,
      `SELECT min(received_at) AS at FROM notifications WHERE tenant = '${TENANT}' AND body IS NULL`,
    ],
  ],
  order_command_handler: [
    ['commands', 90, 'SELECT finished_at AS at FROM commands ORDER BY id LIMIT 1'],
    ['pdf_results', 90, 'SELECT min(received_at) AS at FROM pdf_results'],
    ['dead_letters', 30, 'SELECT min(dead_at) AS at FROM dead_letters'],
    [
      'personal data of orders',
      180,
      `SELECT min(received_at) AS at FROM order_facts WHERE tenant = '${TENANT}' AND NOT is_redacted`,
    ],
  ],
  catalog_publisher: [
    ['commands and loads', 90, 'SELECT finished_at AS at FROM commands ORDER BY id LIMIT 1'],
    ['operations', 7, 'SELECT min(sent_at) AS at FROM operations'],
  ],
  file_gateway: [
    ['commands', 90, 'SELECT finished_at AS at FROM commands ORDER BY id LIMIT 1'],
    [
      'lanes',
      90,
      `SELECT CASE WHEN min(id) < (SELECT min(lane_id) FROM commands) THEN 'epoch'::timestamptz END AS at FROM lanes`,
    ],
    ['uploads', 0, 'SELECT min(expires_at) AS at FROM uploads'],
    ['order_ids', 365, 'SELECT min(seen_at) AS at FROM order_ids'],
    ['invoice_files', 365, 'SELECT min(updated_at) AS at FROM invoice_files'],
    ['command_results', 30, 'SELECT min(saved_at) AS at FROM command_results'],
    ['file_operations', 30, 'SELECT min(started_at) AS at FROM file_operations'],
  ],
};
