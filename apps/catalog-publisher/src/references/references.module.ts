import { Module } from '@nestjs/common';
import { OutcomesModule } from '../outcomes/outcomes.module.ts';
import { ReferenceStateModule } from '../reference-state/reference-state.module.ts';
import { LoadReferences } from './load-references.service.ts';
import { BrandFamily, CategoryFamily } from './reference-family.service.ts';
import { SaveReferences } from './save-references.service.ts';

/** Brands and categories. */
@Module({
  imports: [OutcomesModule, ReferenceStateModule],
  providers: [LoadReferences, SaveReferences, BrandFamily, CategoryFamily],
  exports: [BrandFamily, CategoryFamily],
})
export class ReferencesModule {}
