import { OrderCommandDto } from './order-command.dto.ts';

/** Separation starts: PATCH status to `ORDER_BEING_PREPARED` (400). It has no fields of its own. */
export class StartPreparationDto extends OrderCommandDto {}
