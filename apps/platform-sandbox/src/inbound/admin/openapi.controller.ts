import { OpenApiDocument } from '@gondola/service-kit/http/openapi-document';
import { Controller, Get } from '@nestjs/common';

/** The same document as `/api/openapi.json`, where whoever plays the shopper looks for it. */
@Controller('admin/openapi.json')
export class AdminOpenApiController {
  constructor(private readonly document: OpenApiDocument) {}

  @Get()
  read(): object {
    return this.document.content;
  }
}
