/** Id of the only broker. */
export const NODE_ID = 1;

export interface KafkaProperties {
  port: number;
  controllerPort: number;
  logDir: string;
  /**
   * Without a heartbeat for so long, the controller takes the broker for dead, and all partitions lose their leader.
   */
  sessionMs: number;
}

/**
 * The `server.properties` of one broker that is its own controller, small enough to stand side by side with others on
 * one machine.
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
    // There is one broker to replicate to.
    'offsets.topic.replication.factor': 1,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'share.coordinator.state.topic.replication.factor': 1,
    'share.coordinator.state.topic.min.isr': 1,
    'offsets.topic.num.partitions': 4,
    'transaction.state.log.num.partitions': 4,
    'share.coordinator.state.topic.num.partitions': 4,
    // Gondola creates its topics: a name with a slip must not become a topic.
    'auto.create.topics.enable': 'false',
    'group.initial.rebalance.delay.ms': 0,
    'group.min.session.timeout.ms': 500,
    // A record of 5 MB and its headers fit, with room for a larger limit under test.
    'message.max.bytes': 16 * 1024 * 1024,
    // Many short-lived topics: small index files, and deleted ones go at once.
    'log.index.size.max.bytes': 1024 * 1024,
    'log.segment.delete.delay.ms': 1000,
    'broker.session.timeout.ms': sessionMs,
    'broker.heartbeat.interval.ms': 500,
    // The default of 128 MB is a third of the heap.
    'log.cleaner.dedupe.buffer.size': 16 * 1024 * 1024,
    'num.network.threads': 2,
    'num.io.threads': 4,
  };
  return propertiesText(properties);
}

/** A Java properties file. Names and values must need no escape. */
export function propertiesText(properties: Record<string, string | number>): string {
  return `${Object.entries(properties)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')}\n`;
}

/** Kafka's own log, warnings and worse: without a file of this kind log4j2 would log errors only. */
export const KAFKA_LOG4J2 = `rootLogger.level=warn
rootLogger.appenderRef.console.ref=console
appender.console.type=Console
appender.console.name=console
appender.console.layout.type=PatternLayout
appender.console.layout.pattern=%d{ISO8601} %p %c{1} %m%n
`;
