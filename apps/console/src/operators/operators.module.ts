import { Module } from '@nestjs/common';
import { Operators } from './operators.service.ts';

@Module({ providers: [Operators], exports: [Operators] })
export class OperatorsModule {}
