import {
  BadRequestException,
  Body,
  Controller,
  Get,
  HttpCode,
  Inject,
  NotFoundException,
  Post,
  Query,
  UsePipes,
} from '@nestjs/common';

import { ROUTES } from '@gondola/platform-client/routes';
import { TENANTS } from '@gondola/service-kit/config/injected';
import { ApiOkResponse, ApiOperation } from '@gondola/service-kit/http/api-docs';
import { CommandLine, Operation } from '@gondola/service-kit/http/operation';
import { ApiErrors } from '@gondola/service-kit/http/error.dto';
import { RequestPipe } from '@gondola/service-kit/http/request.pipe';
import { tenantOfRequest } from '@gondola/service-kit/http/tenant-of-request';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';

import { EndedPauses, EndPauses, Pauses, PausesQuery } from '@gondola/lanes/pauses/pauses.dto';
import { PlatformPauses } from '@gondola/lanes/pauses/platform-pauses';

/** Shows operators the pauses of the platform in all replicas of this app, and ends them (contract, "HTTP"). */
@Controller('api/pauses')
@UsePipes(RequestPipe)
export class PausesController {
  constructor(
    private readonly pauses: PlatformPauses,
    @Inject(TENANTS) private readonly tenants: readonly { readonly id: string }[],
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Get()
  @Operation({ role: 'see', tenant: 'query' })
  @CommandLine('pauses list', {
    pt: 'Lista as pausas de todos os aplicativos e das suas réplicas: de uma rota ou de todas as chamadas, por quê, desde quando e até quando',
    en: 'Lists the pauses of all apps and their replicas: a route or all calls, why, since when and until when',
  })
  @ApiOperation({ summary: 'Pauses of the calls to the platform, in all replicas' })
  @ApiOkResponse({ description: 'OK', type: Pauses })
  @ApiErrors({ 400: 'There is no such tenant, or no such parameter' })
  async list(@Query() { tenant: named }: PausesQuery): Promise<Pauses> {
    const tenant = named === undefined ? null : tenantOfRequest(named, this.tenants).id;
    return { entries: await this.pauses.list(tenant) };
  }

  /** One trial call of each replica says whether it was right: a new `Retry-After` pauses again. */
  @Post('end')
  @Operation({ role: 'act', tenant: 'body', action: { name: 'end-pause', subject: 'route' } })
  @CommandLine('pauses end', {
    pt: 'Encerra as pausas de um tenant; segue uma chamada de teste, e o que a esperava continua',
    en: 'Ends the pauses of a tenant; one trial call follows, and what waited for it goes on',
  })
  @HttpCode(200)
  @ApiOperation({ summary: 'Ends pauses in all replicas; one trial call follows, and what waited for it goes on' })
  @ApiOkResponse({ description: 'They are ended, which the log says', type: EndedPauses })
  @ApiErrors({
    400: 'There is no such route, or tenant is missing where there are several',
    404: 'There is no such pause',
  })
  async end(@Body() { tenant: named, route: asked }: EndPauses): Promise<EndedPauses> {
    const { id: tenant } = tenantOfRequest(named, this.tenants);
    const route = asked === undefined || asked === null ? null : asked;
    if (route !== null && !(typeof route === 'string' && Object.hasOwn(ROUTES, route))) {
      throw new BadRequestException(`route must be one of: ${Object.keys(ROUTES).join(', ')}`);
    }
    const ended = await this.pauses.end(tenant, route);
    if (ended.length === 0) throw new NotFoundException();
    this.logger.info(
      { tenant, route: route ?? 'all', count: ended.length },
      'An operator ended pauses of the platform',
    );
    return { ended };
  }
}
