import { Inject, Injectable, ServiceUnavailableException } from '@nestjs/common';

import { knownTenant } from '@gondola/service-kit/http/tenant-of-request';
import { currentOperator } from '@gondola/service-kit/logging/operator';
import { Clock } from '@gondola/service-kit/run/clock';
import { unlessAborted } from '@gondola/service-kit/run/within';
import { gondolaTopic, REPLAYED_TOPICS, type ReplayedTopic } from '@gondola/shared/topics/replayed-topics';

import { MESSAGING_OPTIONS, type MessagingOptions } from '@gondola/kafka/client/messaging-options';
import { KafkaRefusalError, ReplayKafka } from '@gondola/lanes/replays/replay-kafka';
import { newProgress } from '@gondola/lanes/replays/replay-places';
import { type Replay, type ReplayProgress, Replays } from '@gondola/lanes/replays/replays';
import type { ReplayRequest } from './replays.dto.ts';

const KAFKA_MS = 10_000;

/** The replay cannot be done as it was asked for; the message says what would be right. */
export class WrongReplayError extends Error {}

/** Begins a replay, after everything was checked that it needs. */
@Injectable()
export class BeginReplay {
  constructor(
    private readonly replays: Replays,
    private readonly kafka: ReplayKafka,
    private readonly clock: Clock,
    @Inject(MESSAGING_OPTIONS) private readonly options: MessagingOptions,
  ) {}

  /** Throws `WrongReplayError`, or `ReplayRefusedError` beside too many others. */
  async run(request: ReplayRequest): Promise<Replay> {
    const { tenant = null, orderNumber = null, perSecond } = request;
    const { app, tenants } = this.options;
    const known = tenants.map((id) => ({ id }));
    if (tenant !== null) knownTenant(tenant, known);
    const since = new Date(request.since);
    if (since.getTime() > this.clock.now()) {
      throw new WrongReplayError(
        `since is ${request.since}, in the future: name a time at which records were published`,
      );
    }
    const { topic } = topicOf(request, app);
    const target = targetOf(request, topic);
    const progress = await unlessAborted(AbortSignal.timeout(KAFKA_MS), this.#inKafka({ topic, target, since }));
    if (progress === undefined) throw new ServiceUnavailableException('Kafka does not answer; nothing has begun');
    const asked = { topic, target, tenant, orderNumber, since, perSecond, requestedBy: currentOperator(), progress };
    return this.replays.begin(asked);
  }

  async #inKafka({ topic, target, since }: Pick<Replay, 'topic' | 'target' | 'since'>): Promise<ReplayProgress> {
    const opened = await this.#open(topic);
    try {
      if (target !== topic) (await this.#open(target)).log.close();
      const found = await opened.log.placesAt(opened.edges, since.getTime());
      return newProgress({ topic, since }, opened.edges, found, this.clock.now());
    } finally {
      opened.log.close();
    }
  }

  async #open(name: string) {
    return this.kafka.open(name).catch((error: unknown) => {
      if (!(error instanceof KafkaRefusalError))
        throw new ServiceUnavailableException('Kafka does not answer; nothing has begun');
      throw new WrongReplayError(
        `Kafka has no topic ${name} that this app may use (${error.code}): create it, or grant the right`,
      );
    });
  }
}

function topicOf({ topic: name, orderNumber }: ReplayRequest, app: string): ReplayedTopic {
  const own = REPLAYED_TOPICS.filter((each) => each.app === app);
  const of = own.find(({ topic }) => topic === gondolaTopic(name));
  if (of === undefined) {
    const names = own.map(({ topic }) => topic).join(', ');
    throw new WrongReplayError(`topic is ${name}, which this app does not publish: it is one of ${names}`);
  }
  if (orderNumber === undefined || of.hasOrders) return of;
  throw new WrongReplayError(`orderNumber cannot be given with ${of.topic}: its records are about no order`);
}

/** The topic itself, or one that is not Gondola's. */
function targetOf({ to }: ReplayRequest, topic: string): string {
  const known = to === undefined ? topic : gondolaTopic(to);
  if (known === undefined || known === topic) return known ?? to!;
  throw new WrongReplayError(
    `to is ${known}, a topic of Gondola: name ${topic} itself, or a topic that is not Gondola's`,
  );
}
