/** Unit of a panel's values, as Grafana names it. */
type Unit = 'short' | 's' | 'percentunit' | 'bytes' | 'reqps' | 'ops' | 'dateTimeFromNow';

interface Query {
  readonly query: string;
  /** Name of each line, with the labels in double braces. */
  readonly legend: string;
}

export interface Panel {
  readonly title: string;
  /** One sentence: what a reader learns, and which value is bad. */
  readonly about: string;
  readonly unit: Unit;
  /** `stat`: the newest value alone. Default: lines over time. */
  readonly form?: 'stat';
  readonly queries: readonly Query[];
}

export interface Dashboard {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly panels: readonly Panel[];
}

const one = (query: string, legend = ''): Query[] => [{ query, legend }];

/** The slowest of a hundred of a histogram. */
const p99 = (histogram: string, by: string): string =>
  `histogram_quantile(0.99, sum by (le, ${by}) (rate(${histogram}_bucket[5m])))`;

const OVERVIEW: Dashboard = {
  id: 'overview',
  title: 'Gondola: overview',
  about: 'Is all well, and if not, what is not',
  panels: [
    {
      title: 'Apps without a process',
      about: 'Jobs that Prometheus scrapes and of which no process answers; 0 is good.',
      unit: 'short',
      form: 'stat',
      queries: one(
        'count(max by (job) (up{job=~"webhook-ingest|order-command-handler|catalog-publisher|file-gateway|console"}) == 0) or vector(0)',
      ),
    },
    {
      title: 'Orders that need somebody',
      about: 'By the code of what is missing.',
      unit: 'short',
      form: 'stat',
      queries: one('sum by (code) (gondola_orders_needing_attention)', '{{code}}'),
    },
    {
      title: 'Paused at the platform',
      about: 'Shops of which calls are paused, and for how long.',
      unit: 's',
      form: 'stat',
      queries: one(
        'max by (tenant, route, cause) (gondola_platform_pause_age_seconds)',
        '{{tenant}} {{route}}: {{cause}}',
      ),
    },
    {
      title: 'Webhook deliveries',
      about: 'By outcome; not-stored loses orders, repeated is the platform that delivers again.',
      unit: 'reqps',
      queries: one('sum by (outcome) (rate(gondola_notifications_received_total[5m]))', '{{outcome}}'),
    },
    {
      title: 'Results of order commands',
      about: 'By outcome.',
      unit: 'ops',
      queries: one('sum by (outcome) (rate(gondola_order_command_outcomes_total[5m]))', '{{outcome}}'),
    },
    {
      title: 'Results of catalog records',
      about: 'By outcome.',
      unit: 'ops',
      queries: one('sum by (outcome) (rate(gondola_catalog_results_total[5m]))', '{{outcome}}'),
    },
    {
      title: 'Oldest waiting work',
      about: 'Age of the lane that has waited longest for a worker, by kind of entity.',
      unit: 's',
      queries: one('max by (job, kind) (gondola_lanes_ready_oldest_age_seconds)', '{{job}} {{kind}}'),
    },
    {
      title: 'Oldest open command or record',
      about: 'Time since the receipt of the oldest one without a final result, by kind of entity.',
      unit: 's',
      queries: one('max by (job, kind) (gondola_open_oldest_age_seconds)', '{{job}} {{kind}}'),
    },
    {
      title: 'Oldest record that Kafka has not taken',
      about: 'By the app whose outbox has it.',
      unit: 's',
      queries: one('max by (job, source) (gondola_outbox_oldest_age_seconds)', '{{job}} {{source}}'),
    },
    {
      title: 'What waits for a person',
      about: 'Dead letters of the last day, entries of the quarantine, parked records.',
      unit: 'short',
      queries: [
        { query: 'sum by (job) (increase(gondola_records_dead_lettered_total[1d]))', legend: 'dead letters {{job}}' },
        { query: 'sum by (reason) (gondola_quarantine_open)', legend: 'quarantine {{reason}}' },
        { query: 'sum by (job) (gondola_outbox_parked_records)', legend: 'parked {{job}}' },
      ],
    },
  ],
};

const PLATFORM: Dashboard = {
  id: 'platform',
  title: 'Gondola: platform',
  about: 'How the platform answers',
  panels: [
    {
      title: 'Calls by route',
      about: 'Calls that were made or stopped by a circuit breaker.',
      unit: 'reqps',
      queries: one('sum by (route) (rate(gondola_platform_calls_total[5m]))', '{{route}}'),
    },
    {
      title: 'Calls without a good answer',
      about: 'By result; found, accepted, not-found, registered and exists are good.',
      unit: 'reqps',
      queries: one(
        'sum by (route, result) (rate(gondola_platform_calls_total{result!~"found|accepted|not-found|registered|exists"}[5m]))',
        '{{route}}: {{result}}',
      ),
    },
    {
      title: 'Slowest of a hundred calls',
      about: 'Duration without the wait for a slot.',
      unit: 's',
      queries: one(p99('gondola_platform_call_duration_seconds', 'route'), '{{route}}'),
    },
    {
      title: 'Pauses',
      about: 'Age of open circuit breakers by shop, route and cause.',
      unit: 's',
      queries: one(
        'max by (tenant, route, cause) (gondola_platform_pause_age_seconds)',
        '{{tenant}} {{route}}: {{cause}}',
      ),
    },
    {
      title: 'Clock ahead of the platform’s',
      about: 'A minute or more is wrong.',
      unit: 's',
      queries: one('max by (tenant) (gondola_clock_lead_seconds)', '{{tenant}}'),
    },
    {
      title: 'Deliveries with a wrong token',
      about: 'Answered 401; above 0 the token or the sender is wrong.',
      unit: 'reqps',
      queries: one('sum(rate(gondola_webhook_unauthorized_total[5m]))', '401'),
    },
    {
      title: 'Slowest of a hundred deliveries',
      about: 'From the head of the delivery to the decision about its answer.',
      unit: 's',
      queries: one(p99('gondola_notification_duration_seconds', 'outcome'), '{{outcome}}'),
    },
    {
      title: 'Certificates',
      about: 'Time until the certificate of the webhook’s address, or of the platform, ends.',
      unit: 's',
      queries: one(
        'max by (tenant, certificate) (gondola_certificate_expiry_timestamp_seconds) - time()',
        '{{tenant}}: {{certificate}}',
      ),
    },
    {
      title: 'SFTP',
      about: 'Shops whose last session with their SFTP server failed, by reason.',
      unit: 'short',
      queries: one('max by (tenant, reason) (gondola_sftp_blocked)', '{{tenant}}: {{reason}}'),
    },
  ],
};

const ORDERS: Dashboard = {
  id: 'orders',
  title: 'Gondola: orders',
  about: 'Orders and their commands',
  panels: [
    {
      title: 'Order events',
      about: 'Events published for the ERP, by type.',
      unit: 'ops',
      queries: one('sum by (type) (rate(gondola_order_events_total[5m]))', '{{type}}'),
    },
    {
      title: 'Commands by outcome',
      about: 'Final results, by command and outcome.',
      unit: 'ops',
      queries: one(
        'sum by (command, outcome) (rate(gondola_order_command_outcomes_total[5m]))',
        '{{command}}: {{outcome}}',
      ),
    },
    {
      title: 'Slowest of a hundred commands',
      about: 'From the receipt of a command to its final result.',
      unit: 's',
      queries: one(
        'histogram_quantile(0.99, sum by (le, command) (rate(gondola_outcome_latency_seconds_bucket{kind="order"}[5m])))',
        '{{command}}',
      ),
    },
    {
      title: 'Share of commands in doubt',
      about: 'Commands that ended unconfirmed; the budget is 1 of 1,000.',
      unit: 'percentunit',
      queries: one(
        'sum(rate(gondola_order_command_outcomes_total{outcome="unconfirmed"}[1h])) / sum(rate(gondola_order_command_outcomes_total[1h]))',
        'in doubt',
      ),
    },
    {
      title: 'Repeated attempts',
      about: 'Attempts at the platform beyond the first one of a command, when it ends.',
      unit: 'ops',
      queries: one('sum by (job, command) (rate(gondola_attempts_repeated_total[5m]))', '{{job}} {{command}}'),
    },
    {
      title: 'Orders that need somebody',
      about: 'Age of the oldest one, by shop and code.',
      unit: 's',
      queries: one(
        'max by (tenant, code) (gondola_orders_needing_attention_oldest_age_seconds)',
        '{{tenant}} {{code}}',
      ),
    },
    {
      title: 'Files and invoices',
      about: 'Final results of file commands.',
      unit: 'ops',
      queries: one(
        'sum by (command, outcome) (rate(gondola_file_command_outcomes_total[5m]))',
        '{{command}}: {{outcome}}',
      ),
    },
  ],
};

const CATALOG: Dashboard = {
  id: 'catalog',
  title: 'Gondola: catalog',
  about: 'Brands, categories, products, prices and stock',
  panels: [
    {
      title: 'Results',
      about: 'By kind and outcome.',
      unit: 'ops',
      queries: one('sum by (kind, outcome) (rate(gondola_catalog_results_total[5m]))', '{{kind}}: {{outcome}}'),
    },
    {
      title: 'Slowest of a hundred records',
      about: 'From the receipt of a record to its final result, by kind.',
      unit: 's',
      queries: one(p99('gondola_outcome_latency_seconds', 'kind'), '{{kind}}'),
    },
    {
      title: 'Age of prices and stock when accepted',
      about: 'From the record’s timestamp on its topic.',
      unit: 's',
      queries: one(p99('gondola_catalog_value_age_seconds', 'kind'), '{{kind}}'),
    },
    {
      title: 'Loads under way',
      about: 'Records by state.',
      unit: 'short',
      queries: one('sum by (tenant, load, state) (gondola_catalog_load_records)', '{{tenant}} {{load}}: {{state}}'),
    },
    {
      title: 'Estimated end of loads',
      about: 'Seconds that remain at the rate of the last minute.',
      unit: 's',
      queries: one('max by (tenant, load) (gondola_catalog_load_remaining_seconds)', '{{tenant}} {{load}}'),
    },
    {
      title: 'Reports that do not add up',
      about: 'Counts of the platform’s reports that contradict each other; above 0 ask its support.',
      unit: 'ops',
      queries: one('sum by (kind) (rate(gondola_catalog_report_anomalies_total[5m]))', '{{kind}}'),
    },
  ],
};

const INSIDE: Dashboard = {
  id: 'inside',
  title: 'Gondola: inside',
  about: 'Kafka, PostgreSQL and Node.js',
  panels: [
    {
      title: 'Lag',
      about: 'Records that the consumer group has not committed, by topic.',
      unit: 'short',
      queries: one(
        'sum by (job, topic) (max by (job, topic, partition) (gondola_consumer_lag_records))',
        '{{job}} {{topic}}',
      ),
    },
    {
      title: 'Paused partitions',
      about: 'Partitions that wait for PostgreSQL; 0 is good.',
      unit: 'short',
      queries: one('sum by (job, topic) (gondola_partition_paused)', '{{job}} {{topic}}'),
    },
    {
      title: 'Records in the outbox',
      about: 'Records that wait for Kafka.',
      unit: 'short',
      queries: one('max by (job, source) (gondola_outbox_records)', '{{job}} {{source}}'),
    },
    {
      title: 'Processes with the relay',
      about: 'Exactly 1 for each source.',
      unit: 'short',
      queries: one('sum by (job, source) (gondola_relay_active)', '{{job}} {{source}}'),
    },
    {
      title: 'Lanes that wait',
      about: 'Lanes that are due and that no worker has taken.',
      unit: 'short',
      queries: one('sum by (job, kind) (max by (job, tenant, kind) (gondola_lanes_ready))', '{{job}} {{kind}}'),
    },
    {
      title: 'Connections to PostgreSQL',
      about: 'Used, idle, and work that waits for one.',
      unit: 'short',
      queries: one('sum by (job, pool, state) (gondola_database_connections)', '{{job}} {{pool}}: {{state}}'),
    },
    {
      title: 'Work that waits for a connection',
      about: 'Statements and transactions that wait at a time, on average of 5 minutes.',
      unit: 'short',
      queries: one('sum by (job) (rate(gondola_database_wait_seconds_total[5m]))', '{{job}}'),
    },
    {
      title: 'Spool',
      about: 'Share of the disk that the spool may take; notifications in it.',
      unit: 'percentunit',
      queries: one('max by (instance) (gondola_spool_bytes / gondola_spool_limit_bytes)', '{{instance}}'),
    },
    {
      title: 'Time since the last run of each task',
      about: 'A task that runs hourly and has not for hours fails; its log says why.',
      unit: 's',
      queries: one('time() - max by (job, task) (gondola_task_last_run_timestamp_seconds)', '{{job}} {{task}}'),
    },
    {
      title: 'Rows past their retention',
      about: 'Time since the oldest row of each table had to be deleted; sweeps run hourly.',
      unit: 's',
      queries: one('min by (job, table) (gondola_oldest_unswept_age_seconds)', '{{job}} {{table}}'),
    },
    {
      title: 'Processor time',
      about: 'Cores in use by each process.',
      unit: 'short',
      queries: one('sum by (job, instance) (rate(process_cpu_seconds_total[5m]))', '{{job}} {{instance}}'),
    },
    {
      title: 'Processor time of an order event',
      about: 'Of all processes of each app together, for each published event; a replica more should not make it grow.',
      unit: 's',
      queries: one(
        'sum by (job) (rate(process_cpu_seconds_total[5m])) / scalar(sum(rate(gondola_order_events_total[5m])) > 0)',
        '{{job}}',
      ),
    },
    {
      title: 'Memory',
      about: 'Resident memory of each process.',
      unit: 'bytes',
      queries: one('max by (job, instance) (process_resident_memory_bytes)', '{{job}} {{instance}}'),
    },
    {
      title: 'Event loop',
      about: 'Slowest of a hundred turns; above 0.1 s something keeps the process from its work.',
      unit: 's',
      queries: one('max by (job, instance) (nodejs_eventloop_lag_p99_seconds)', '{{job}} {{instance}}'),
    },
  ],
};

/** Source of `infra/grafana/*.json`, which `npm run dashboards -w infra` writes. */
export const DASHBOARDS: readonly Dashboard[] = [OVERVIEW, PLATFORM, ORDERS, CATALOG, INSIDE];
