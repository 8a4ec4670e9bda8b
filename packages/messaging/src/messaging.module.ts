import {
  type DynamicModule,
  type FactoryProvider,
  Inject,
  type INestApplicationContext,
  Module,
  type OnApplicationBootstrap,
  type Type,
} from '@nestjs/common';
import { Registry } from 'prom-client';

import { Database } from '@gondola/service-kit/database/database';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import type { Startable } from '@gondola/service-kit/run/startable';

import { BatchIntake } from './consume/batch-intake.ts';
import { Commands } from './commands/commands.ts';
import { ConsumedRecords } from './consume/consumed-records.ts';
import { DeadLettersController } from './dead-letters/dead-letters.controller.ts';
import { DeadLetters } from './dead-letters/dead-letters.ts';
import { KafkaBatchServer } from './kafka/kafka-batch-server.ts';
import { Lanes } from './lanes/lanes.ts';
import { type MessagingOptions, type MessagingParts, messagingParts } from './messaging-parts.ts';
import { OutboxRelay } from './outbox/outbox-relay.ts';
import { Outbox } from './outbox/outbox.ts';

const PARTS = Symbol('gondola.messaging');

const PROVIDED = [
  partOf(Outbox, 'outbox'),
  partOf(Lanes, 'lanes'),
  partOf(Commands, 'commands'),
  partOf(OutboxRelay, 'relay'),
  partOf(DeadLetters, 'deadLetters'),
  partOf(BatchIntake, 'intake'),
  partOf(KafkaBatchServer, 'server'),
  partOf(ConsumedRecords, 'consumed'),
];

/**
 * The three mechanisms that need Kafka or PostgreSQL, ready to be injected by their classes. Takes `Database`,
 * `Registry` and logger from the service kit.
 */
@Module({})
export class MessagingModule implements OnApplicationBootstrap {
  readonly #server: KafkaBatchServer;

  constructor(@Inject(KafkaBatchServer) server: KafkaBatchServer) {
    this.#server = server;
  }

  static register(options: MessagingOptions): DynamicModule {
    const parts: FactoryProvider<MessagingParts> = {
      provide: PARTS,
      inject: [Database, Registry, LOGGER],
      useFactory: (database: Database, registry: Registry, logger: Logger) =>
        messagingParts(options, { database, registry, logger }),
    };
    return {
      module: MessagingModule,
      controllers: [DeadLettersController],
      providers: [parts, ...PROVIDED],
      exports: PROVIDED.map(({ provide }) => provide),
    };
  }

  /** Before anything is connected: waiting for Kafka or the database would hide the mistake. */
  onApplicationBootstrap(): void {
    this.#server.checkHandlers();
  }
}

/** For `startables` of `runApp`; `microservice` is `messagingServer`. */
export function messagingStartables(app: INestApplicationContext): readonly Startable[] {
  return app.get<MessagingParts>(PARTS, { strict: false }).startables;
}

/** For `microservice` of `runApp`. */
export function messagingServer(app: INestApplicationContext): KafkaBatchServer {
  return app.get<MessagingParts>(PARTS, { strict: false }).server;
}

function partOf<K extends keyof MessagingParts>(
  token: Type<MessagingParts[K]>,
  name: K,
): FactoryProvider<MessagingParts[K]> & { provide: Type<MessagingParts[K]> } {
  return { provide: token, inject: [PARTS], useFactory: (parts: MessagingParts) => parts[name] };
}
