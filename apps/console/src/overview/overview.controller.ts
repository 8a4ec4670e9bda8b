import { Controller, Get, UseGuards } from '@nestjs/common';
import { SessionGuard } from '../sessions/session.guard.ts';
import type { AppState } from './app-state.ts';
import { AppWatch } from './app-watch.service.ts';

@Controller('overview')
@UseGuards(SessionGuard)
export class OverviewController {
  constructor(private readonly watch: AppWatch) {}

  @Get()
  async overview(): Promise<{ apps: readonly AppState[] }> {
    return { apps: await this.watch.states() };
  }
}
