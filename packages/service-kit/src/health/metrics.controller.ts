import { Controller, Get, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { collectDefaultMetrics, Registry } from 'prom-client';

/**
 * The app's metrics, the process' default ones included (CPU, memory, event loop lag). One per app and not
 * prom-client's global one, so that several apps run in one process in tests. Injected by its class, `Registry`.
 */
export function createMetrics(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

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
  @ApiOperation({ summary: 'Prometheus metrics', security: [] })
  @ApiOkResponse({ description: 'OK', content: { 'text/plain': { schema: { type: 'string' } } } })
  async metrics(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    void reply.header('content-type', this.#registry.contentType);
    this.#underWay ??= this.#registry.metrics().finally(() => {
      this.#underWay = null;
    });
    return this.#underWay;
  }
}
