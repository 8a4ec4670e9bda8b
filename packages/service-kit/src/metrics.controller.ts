import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Registry } from 'prom-client';

@Controller('metrics')
export class MetricsController {
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** Prometheus' text form; no token, so labels never hold identities of customers. */
  @Get()
  async metrics(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    void reply.header('content-type', this.#registry.contentType);
    return this.#registry.metrics();
  }
}
