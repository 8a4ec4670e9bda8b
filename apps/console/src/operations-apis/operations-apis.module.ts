import { Module } from '@nestjs/common';
import { OperationsApis } from './operations-apis.adapter.ts';

@Module({ providers: [OperationsApis], exports: [OperationsApis] })
export class OperationsApisModule {}
