import { Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import type { AppName } from '../operations-apis/app-name.ts';

@Injectable()
export class PassingMetrics {
  readonly #calls: Counter<'app' | 'status'>;

  constructor(registry: Registry) {
    this.#calls = new Counter({
      name: 'gondola_console_calls_total',
      help: 'Calls of operators that the console answered for an app, by app and status of the answer',
      labelNames: ['app', 'status'],
      registers: [registry],
    });
  }

  count(app: AppName, status: number): void {
    this.#calls.inc({ app, status: String(status) });
  }
}
