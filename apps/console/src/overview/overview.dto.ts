import { Open } from '@gondola/service-kit/http/answer-fields';
import { APP_NAMES, type AppName } from '../operations-apis/app-name.ts';
import type { AppState } from './app-state.ts';

class ShownAppState implements AppState {
  @Open({ enum: APP_NAMES })
  readonly app!: AppName;

  @Open({ enum: ['ready', 'not-ready', 'away'] })
  readonly state!: AppState['state'];

  @Open({ type: 'object', additionalProperties: { type: 'boolean' }, description: 'Required checks of /health/ready' })
  readonly checks!: Readonly<Record<string, boolean>>;

  @Open({ type: String, nullable: true, description: 'Null: the app does not say it' })
  readonly version!: string | null;

  @Open({ format: 'date-time', description: 'When this console first saw the state' })
  readonly since!: string;
}

export class Overview {
  @Open({ type: [ShownAppState] })
  readonly apps!: readonly AppState[];
}
