// For `npm run bench -- path`: the service that one would write by hand. Each request is an INSERT by `save()` and a
// `send` of its own, and is answered after both.
import 'reflect-metadata';
import { createHttpAdapter } from '@gondola/service-kit/http/http-adapter';
import { Body, Controller, Get, HttpCode, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Kafka, logLevel } from 'kafkajs';
import { DataSource, EntitySchema } from 'typeorm';

const MAX_BODY_BYTES = 5_000_000;

interface Notification {
  readonly operationId: string;
  readonly data: { readonly number: number };
}

const entity = new EntitySchema<{ id: string; body: Notification }>({
  name: 'hand_made',
  columns: { id: { type: String, primary: true }, body: { type: 'jsonb' } },
});
const url = String(process.env['DATABASE_URL']);
const database = new DataSource({ type: 'postgres', url, entities: [entity], synchronize: true, poolSize: 10 });
const rows = (await database.initialize()).getRepository(entity);
const brokers = String(process.env['KAFKA_BROKERS']).split(',');
const producer = new Kafka({ brokers, logLevel: logLevel.NOTHING }).producer();
await producer.connect();

@Controller()
class Webhook {
  @Get('health/ready')
  ready(): { status: string } {
    return { status: 'ready' };
  }

  @Post('webhooks/platform')
  @HttpCode(200)
  async take(@Body() body: Notification): Promise<void> {
    await rows.save({ id: body.operationId, body });
    const message = { key: String(body.data.number), value: JSON.stringify(body) };
    await producer.send({ topic: String(process.env['HAND_MADE_TOPIC']), acks: -1, messages: [message] });
  }
}

@Module({ controllers: [Webhook] })
class HandMade {}

const app = await NestFactory.create(HandMade, createHttpAdapter({ bodyLimitBytes: MAX_BODY_BYTES }), {
  logger: false,
});
app.enableShutdownHooks();
await app.listen(Number(process.env['HTTP_PORT']), '127.0.0.1');
process.once('SIGTERM', () => void Promise.all([producer.disconnect(), database.destroy()]));
