import { Controller, Delete, HttpCode, Post } from '@nestjs/common';
import type { z } from 'zod';
import { FaultBoard, type StoredFault } from '../../application/fault-board.ts';
import { AdminBody } from '../http/body.decorator.ts';
import { FaultsBody } from './fault-body.ts';

@Controller('admin/faults')
export class AdminFaultsController {
  constructor(private readonly board: FaultBoard) {}

  /** Adds to those that are set. */
  @Post()
  async add(@AdminBody(FaultsBody) faults: z.output<typeof FaultsBody>): Promise<StoredFault[]> {
    return this.board.add(faults);
  }

  @Delete()
  @HttpCode(204)
  async clear(): Promise<void> {
    await this.board.clear();
  }
}
