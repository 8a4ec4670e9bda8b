import { Module } from '@nestjs/common';
import { ReferenceWaitsRepository } from './reference-waits.repository.ts';
import { WakeWaiting } from './wake-waiting.service.ts';

/** Lanes that wait for a brand or category (rule 24). */
@Module({ providers: [ReferenceWaitsRepository, WakeWaiting], exports: [ReferenceWaitsRepository, WakeWaiting] })
export class WaitingModule {}
