import { CommandSweep } from '@gondola/messaging/commands/command-sweep';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PdfResultsRepository } from './pdf-results.repository.ts';

/**
 * Deletes the results of PDFs before the commands that they belong to: a command whose id is used again after that
 * finds none.
 */
@Injectable()
export class PdfResultsSweep implements OnModuleInit {
  constructor(
    private readonly sweep: CommandSweep,
    private readonly results: PdfResultsRepository,
  ) {}

  onModuleInit(): void {
    this.sweep.beforehand((before) => this.results.deleteBefore(before));
  }
}
