import { Controller, Get, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiServiceUnavailableResponse } from '../http/api-docs.ts';
import { Operation } from '../http/operation.ts';
import { OpenApiDocument } from '../http/openapi-document.ts';
import type { FastifyReply } from 'fastify';
import { AppInfo } from './app-info.ts';
import type { AppInfoReport } from './app-info.ts';
import { Health } from './health.ts';
import type { ReadinessReport } from './health.ts';
import { Info, Readiness } from './readiness.dto.ts';

/** Health routes for the platform that runs the process; without a token. */
@Controller('health')
export class HealthController {
  readonly #health: Health;

  constructor(health: Health) {
    this.#health = health;
  }

  /** 200 while the process answers at all, even if other servers are down: a restart would not help. */
  @Get('live')
  @ApiOperation({ summary: 'Answers 200 while the process runs', security: [] })
  @ApiOkResponse({ description: 'OK', schema: { type: 'object' } })
  live(): { status: 'live'; checks: Record<string, never> } {
    return { status: 'live', checks: {} };
  }

  /** 200 when ready, else 503 with the same report. */
  @Get('ready')
  @ApiOperation({ summary: 'Answers 200 if the process can do its work', security: [] })
  @ApiOkResponse({ description: 'OK', type: Readiness })
  @ApiServiceUnavailableResponse({ description: 'Not ready', type: Readiness })
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<ReadinessReport> {
    const report = await this.#health.readiness();
    void reply.status(report.status === 'ready' ? 200 : 503).header('cache-control', 'no-store');
    return report;
  }
}

/** Routes of every app's operations API, guarded by `guardOperations`. */
@Controller('api')
export class OperationsController {
  readonly #info: AppInfo;
  readonly #document: OpenApiDocument;

  constructor(info: AppInfo, document: OpenApiDocument) {
    this.#info = info;
    this.#document = document;
  }

  @Get('info')
  @Operation({ unpassed: 'the overview shows it, also for an app that is away' })
  @ApiOperation({ summary: 'Returns name, version, uptime and the state of each startable' })
  @ApiOkResponse({ description: 'OK', type: Info })
  info(): AppInfoReport {
    return this.#info.report();
  }

  @Get('openapi.json')
  @Operation({ unpassed: 'a page is built from it, and none asks for it' })
  @ApiOperation({ summary: 'Returns this OpenAPI document' })
  @ApiOkResponse({ description: 'OK', schema: { type: 'object' } })
  async openApi(): Promise<object> {
    return this.#document.content();
  }
}
