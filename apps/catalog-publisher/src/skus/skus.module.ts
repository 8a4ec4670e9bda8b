import { Module } from '@nestjs/common';
import { SkusRepository } from './skus.repository.ts';

/** The product of each SKU, and what was published of it. */
@Module({ providers: [SkusRepository], exports: [SkusRepository] })
export class SkusModule {}
