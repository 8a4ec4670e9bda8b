import { ApiOkResponse, ApiOperation } from '@gondola/service-kit/http/api-docs';
import { ApiErrors } from '@gondola/service-kit/http/error.dto';
import { Controller, Get, UseGuards } from '@nestjs/common';
import { BY_SESSION, GUARDED } from '../sessions/session-answers.dto.ts';
import { SessionGuard } from '../sessions/session.guard.ts';
import { AppWatch } from './app-watch.service.ts';
import { Overview } from './overview.dto.ts';

@Controller('overview')
@UseGuards(SessionGuard)
export class OverviewController {
  constructor(private readonly watch: AppWatch) {}

  @Get()
  @ApiOperation({ ...BY_SESSION, summary: 'State of each app' })
  @ApiOkResponse({ description: 'OK', type: Overview })
  @ApiErrors(GUARDED)
  async overview(): Promise<Overview> {
    return { apps: await this.watch.states() };
  }
}
