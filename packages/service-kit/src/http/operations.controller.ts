import { Controller, Get } from '@nestjs/common';
import { AppInfo } from '../health/app-info.ts';
import type { AppInfoReport } from '../health/app-info.ts';
import { OpenApiDocument } from './openapi-document.ts';

/** Routes of every app's operations API. Guarded by `guardOperations`. */
@Controller('api')
export class OperationsController {
  readonly #info: AppInfo;
  readonly #document: OpenApiDocument;

  constructor(info: AppInfo, document: OpenApiDocument) {
    this.#info = info;
    this.#document = document;
  }

  @Get('info')
  info(): AppInfoReport {
    return this.#info.report();
  }

  @Get('openapi.json')
  openApi(): object {
    return this.#document.content;
  }
}
