/** Id of the only broker. */
export const NODE_ID = 1;

/** A further listener of a broker. */
export interface KafkaListener {
  /** In capital letters. */
  readonly name: string;
  readonly protocol: 'PLAINTEXT' | 'SASL_PLAINTEXT' | 'SASL_SSL' | 'SSL';
  /** `127.0.0.1:23456` or `[::1]:23456`. */
  readonly address: string;
}

/** Listeners and settings of a broker beside those of every local one. */
export interface KafkaExtras {
  readonly listeners: readonly KafkaListener[];
  readonly properties: Readonly<Record<string, string | number>>;
}

export interface KafkaProperties {
  port: number;
  controllerPort: number;
  logDir: string;
  /**
   * Time without a heartbeat after which the controller considers the broker dead and all partitions lose their
   * leader.
   */
  sessionMs: number;
  extras?: KafkaExtras | undefined;
}

/**
 * The `server.properties` of a broker that is its own controller, small enough to run beside others on one machine.
 */
export function kafkaProperties({ port, controllerPort, logDir, sessionMs, extras }: KafkaProperties): string {
  const own = { name: 'PLAINTEXT', protocol: 'PLAINTEXT', address: `127.0.0.1:${port}` };
  const controller = { name: 'CONTROLLER', protocol: 'PLAINTEXT', address: `127.0.0.1:${controllerPort}` };
  const forClients = [own, ...(extras?.listeners ?? [])];
  const properties: Record<string, string | number> = {
    'process.roles': 'broker,controller',
    'node.id': NODE_ID,
    'controller.quorum.voters': `${NODE_ID}@127.0.0.1:${controllerPort}`,
    listeners: [...forClients, controller].map(({ name, address }) => `${name}://${address}`).join(','),
    'advertised.listeners': forClients.map(({ name, address }) => `${name}://${address}`).join(','),
    'listener.security.protocol.map': [...forClients, controller]
      .map(({ name, protocol }) => `${name}:${protocol}`)
      .join(','),
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'PLAINTEXT',
    'log.dirs': logDir,
    // There is only one broker.
    'offsets.topic.replication.factor': 1,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'share.coordinator.state.topic.replication.factor': 1,
    'share.coordinator.state.topic.min.isr': 1,
    'offsets.topic.num.partitions': 4,
    'transaction.state.log.num.partitions': 4,
    'share.coordinator.state.topic.num.partitions': 4,
    // Gondola creates its topics itself; a misspelt name must not create one.
    'auto.create.topics.enable': 'false',
    'group.initial.rebalance.delay.ms': 0,
    'group.min.session.timeout.ms': 500,
    // Large enough for a record of 5 MB with its headers, with room for tests of a larger limit.
    'message.max.bytes': 16 * 1024 * 1024,
    // For many short-lived topics: small index files, and deleted topics disappear at once.
    'log.index.size.max.bytes': 1024 * 1024,
    'log.segment.delete.delay.ms': 1000,
    'broker.session.timeout.ms': sessionMs,
    'broker.heartbeat.interval.ms': 500,
    // The default of 128 MB would be a third of the heap.
    'log.cleaner.dedupe.buffer.size': 16 * 1024 * 1024,
    'num.network.threads': 2,
    'num.io.threads': 4,
    ...extras?.properties,
  };
  return propertiesText(properties);
}

/** A Java properties file. Names and values must not require escapes. */
export function propertiesText(properties: Record<string, string | number>): string {
  return `${Object.entries(properties)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')}\n`;
}

/** Kafka's own log with warnings and errors: without such a file log4j2 would log errors only. */
export const KAFKA_LOG4J2 = `rootLogger.level=warn
rootLogger.appenderRef.console.ref=console
appender.console.type=Console
appender.console.name=console
appender.console.layout.type=PatternLayout
appender.console.layout.pattern=%d{ISO8601} %p %c{1} %m%n
`;
