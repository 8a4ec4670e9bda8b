import { Module } from '@nestjs/common';
import { SkusRepository } from './skus.repository.ts';

/** The product and the published state of each SKU. */
@Module({ providers: [SkusRepository], exports: [SkusRepository] })
export class SkusModule {}
