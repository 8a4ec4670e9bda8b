import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Health } from './health.ts';
import type { ReadinessReport } from './health.ts';

/** For the platform that runs the process; no token. */
@Controller('health')
export class HealthController {
  readonly #health: Health;

  constructor(health: Health) {
    this.#health = health;
  }

  /** 200 while the process answers at all, whatever else is down: restarting it would not help. */
  @Get('live')
  live(): { status: 'live'; checks: Record<string, never> } {
    return { status: 'live', checks: {} };
  }

  /** 200 when ready, else 503 with the same report. */
  @Get('ready')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<ReadinessReport> {
    const report = await this.#health.readiness();
    void reply.status(report.status === 'ready' ? 200 : 503).header('cache-control', 'no-store');
    return report;
  }
}
