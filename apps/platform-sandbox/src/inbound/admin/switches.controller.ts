import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import type { z } from 'zod';
import { SwitchBoard } from '../../application/switch-board.ts';
import type { Behaviour } from '../../domain/behaviour.ts';
import { AdminBody } from '../http/body.decorator.ts';
import { SwitchesBody } from './switches-body.ts';

/** What the platform does where its document leaves it open. */
@Controller('admin/switches')
export class AdminSwitchesController {
  constructor(private readonly switches: SwitchBoard) {}

  @Get()
  read(): Behaviour {
    return this.switches.behaviour;
  }

  /** Changes those that are named; a restart keeps them, a reset does not. */
  @Post()
  @HttpCode(200)
  async change(@AdminBody(SwitchesBody) changed: z.output<typeof SwitchesBody>): Promise<Behaviour> {
    return this.switches.change(changed);
  }
}
