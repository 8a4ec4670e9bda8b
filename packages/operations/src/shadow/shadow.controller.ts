import { Controller, Get, Query, UsePipes } from '@nestjs/common';

import { StoredShadowCalls } from '@gondola/lanes/shadow/stored-shadow-calls';
import { ShadowCounts, ShadowDifference, ShadowDifferencesQuery, ShadowQuery } from '@gondola/lanes/shadow/shadow.dto';
import { ApiOkResponse, ApiOperation } from '@gondola/service-kit/http/api-docs';
import { ApiErrors } from '@gondola/service-kit/http/error.dto';
import { CommandLine, Operation } from '@gondola/service-kit/http/operation';
import { ApiPageOf, pageOf, type PageOf, pageRequest } from '@gondola/service-kit/http/page.dto';
import { RequestPipe } from '@gondola/service-kit/http/request.pipe';

const WRONG = 'A parameter is wrong; the message says what would be right';

/** The comparison of tenants in shadow (contract, "HTTP"). */
@Controller('api/shadow')
@UsePipes(RequestPipe)
export class ShadowController {
  constructor(private readonly calls: StoredShadowCalls) {}

  @Get()
  @Operation({ role: 'see', tenant: 'query' })
  @CommandLine('shadow show', {
    pt: 'Mostra as lojas em modo sombra e o que a comparação com a loja encontrou, por tipo',
    en: 'Shows the shops in shadow, and what the comparison with the shop found, by kind',
  })
  @ApiOperation({ summary: 'Tenants in shadow, and the numbers of compared changes by kind' })
  @ApiOkResponse({ description: 'OK', type: ShadowCounts })
  @ApiErrors({ 400: WRONG })
  async show(@Query() { tenant }: ShadowQuery): Promise<ShadowCounts> {
    const tenants = [...this.calls.settleMs.keys()].filter((id) => tenant === undefined || id === tenant);
    return { tenants, counts: await this.calls.counts(tenant ?? null) };
  }

  @Get('differences')
  @Operation({ role: 'see', tenant: 'query' })
  @CommandLine('shadow differences', {
    pt: 'Lista as diferenças entre o que o Gondola teria enviado e o que a loja recebeu, as mais recentes primeiro',
    en: 'Lists the differences between what Gondola would have sent and what the shop got, newest first',
  })
  @ApiOperation({ summary: 'Differences between what Gondola would have sent and what the shop got, newest first' })
  @ApiPageOf(ShadowDifference)
  @ApiErrors({ 400: WRONG })
  async differences(@Query() query: ShadowDifferencesQuery): Promise<PageOf<ShadowDifference>> {
    const { before, limit } = pageRequest(query);
    return pageOf(await this.calls.differences(query, before, limit + 1), limit);
  }
}
