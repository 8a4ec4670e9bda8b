import { Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import type { AppName } from '../operations-apis/app-name.ts';

@Injectable()
export class PassingMetrics {
  readonly #calls: Counter<'app' | 'status'>;
  readonly #reveals: Counter<'app'>;

  constructor(registry: Registry) {
    this.#calls = new Counter({
      name: 'gondola_console_calls_total',
      help: 'Calls of operators that the console answered for an app, by app and status of the answer',
      labelNames: ['app', 'status'],
      registers: [registry],
    });
    this.#reveals = new Counter({
      name: 'gondola_console_reveals_total',
      help: 'Answers whose personal data the console showed to an operator who asked for it, by app',
      labelNames: ['app'],
      registers: [registry],
    });
  }

  count(app: AppName, status: number): void {
    this.#calls.inc({ app, status: String(status) });
  }

  countRevealed(app: AppName): void {
    this.#reveals.inc({ app });
  }
}
