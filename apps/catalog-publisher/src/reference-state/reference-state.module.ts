import { Module } from '@nestjs/common';
import { ReferenceLanesRepository } from './reference-lanes.repository.ts';
import { ReferencesRepository } from './references.repository.ts';

/** What is known of brands and categories between two records, and of the records of their lanes. */
@Module({
  providers: [ReferencesRepository, ReferenceLanesRepository],
  exports: [ReferencesRepository, ReferenceLanesRepository],
})
export class ReferenceStateModule {}
