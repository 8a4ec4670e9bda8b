import { Module } from '@nestjs/common';
import { ReferenceLanesRepository } from './reference-lanes.repository.ts';
import { ReferencesRepository } from './references.repository.ts';

/** Stored state of brands and categories, and of their lanes, between two records. */
@Module({
  providers: [ReferencesRepository, ReferenceLanesRepository],
  exports: [ReferencesRepository, ReferenceLanesRepository],
})
export class ReferenceStateModule {}
