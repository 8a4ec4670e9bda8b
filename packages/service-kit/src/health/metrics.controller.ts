import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Registry } from 'prom-client';

@Controller('metrics')
export class MetricsController {
  readonly #registry: Registry;
  #underWay: Promise<string> | null = null;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /**
   * Prometheus' text form; no token, so labels never hold identities of customers. Who asks while another does gets the
   * same answer.
   */
  @Get()
  async metrics(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    void reply.header('content-type', this.#registry.contentType);
    this.#underWay ??= this.#registry.metrics().finally(() => {
      this.#underWay = null;
    });
    return this.#underWay;
  }
}
