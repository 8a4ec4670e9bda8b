import type { Store, Table } from '../store/store.service.ts';
import { DEFAULT_BEHAVIOUR, type Behaviour } from './behaviour.ts';

/** The current switches, which outlive a restart. */
export class SwitchBoard {
  private current = DEFAULT_BEHAVIOUR;

  constructor(
    private readonly store: Store,
    private readonly settings: Table<string, unknown>,
  ) {
    settings.watch((name, after) => {
      if (name === 'behaviour') this.current = { ...DEFAULT_BEHAVIOUR, ...(after as Partial<Behaviour> | undefined) };
    });
  }

  get behaviour(): Behaviour {
    return this.current;
  }

  /** Changes the named switches; the others stay. */
  change(changed: Partial<Behaviour>): Behaviour {
    const behaviour = { ...this.behaviour, ...changed };
    this.store.unit(() => this.settings.put('behaviour', behaviour));
    return behaviour;
  }

  reset(): void {
    this.settings.delete('behaviour');
  }
}
