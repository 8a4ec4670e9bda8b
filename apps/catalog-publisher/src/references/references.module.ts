import { Module } from '@nestjs/common';
import { OutcomesModule } from '../outcomes/outcomes.module.ts';
import { LoadReferences } from './load-references.service.ts';
import { BrandFamily, CategoryFamily } from './reference-family.service.ts';
import { ReferenceLanesRepository } from './reference-lanes.repository.ts';
import { ReferencesRepository } from './references.repository.ts';
import { SaveReferences } from './save-references.service.ts';

/** Brands and categories. */
@Module({
  imports: [OutcomesModule],
  providers: [
    ReferencesRepository,
    ReferenceLanesRepository,
    LoadReferences,
    SaveReferences,
    BrandFamily,
    CategoryFamily,
  ],
  exports: [ReferencesRepository, ReferenceLanesRepository, BrandFamily, CategoryFamily],
})
export class ReferencesModule {}
