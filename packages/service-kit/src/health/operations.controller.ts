import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '../http/api-docs.ts';
import { AppInfo } from './app-info.ts';
import type { AppInfoReport } from './app-info.ts';
import { Info } from './readiness.dto.ts';
import { OpenApiDocument } from '../http/openapi-document.ts';

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
  @ApiOperation({ summary: 'Returns name, version, uptime and the state of each startable' })
  @ApiOkResponse({ description: 'OK', type: Info })
  info(): AppInfoReport {
    return this.#info.report();
  }

  @Get('openapi.json')
  @ApiOperation({ summary: 'Returns this OpenAPI document' })
  @ApiOkResponse({ description: 'OK', schema: { type: 'object' } })
  async openApi(): Promise<object> {
    return this.#document.content();
  }
}
