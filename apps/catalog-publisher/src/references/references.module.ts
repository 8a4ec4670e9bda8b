import { Module } from '@nestjs/common';
import { LaneHeads } from '../lanes/lane-heads.service.ts';
import { OutcomesModule } from '../outcomes/outcomes.module.ts';
import { LoadReferences } from './load-references.service.ts';
import { BrandFlow, CategoryFlow } from './reference-flow.service.ts';
import { ReferenceLanesRepository } from './reference-lanes.repository.ts';
import { ReferencesRepository } from './references.repository.ts';
import { SaveReferences } from './save-references.service.ts';

/** Brands and categories. */
@Module({
  imports: [OutcomesModule],
  providers: [
    ReferencesRepository,
    ReferenceLanesRepository,
    LaneHeads,
    LoadReferences,
    SaveReferences,
    BrandFlow,
    CategoryFlow,
  ],
  exports: [ReferencesRepository, ReferenceLanesRepository, BrandFlow, CategoryFlow],
})
export class ReferencesModule {}
