/** Id of the only broker. */
export const NODE_ID = 1;

export interface KafkaProperties {
  port: number;
  controllerPort: number;
  logDir: string;
  /**
   * Time without a heartbeat after which the controller considers the broker dead and all partitions lose their
   * leader.
   */
  sessionMs: number;
}

/**
 * The `server.properties` of a broker that is its own controller, small enough to run beside others on one machine.
 */
export function kafkaProperties({ port, controllerPort, logDir, sessionMs }: KafkaProperties): string {
  const properties: Record<string, string | number> = {
    'process.roles': 'broker,controller',
    'node.id': NODE_ID,
    'controller.quorum.voters': `${NODE_ID}@127.0.0.1:${controllerPort}`,
    listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}`,
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
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
