import { type ErasedContent, OrderContent } from '@gondola/lanes/erased-orders/order-content';
import { Injectable } from '@nestjs/common';

/** This app stores nothing about orders but dead letters: of notifications it reads refusals of its operations. */
@Injectable()
export class NoOrderContent extends OrderContent {
  readonly topics = [];

  async erase(): Promise<ErasedContent> {
    return { erased: {}, stays: [] };
  }
}
