import type { Fault } from './fault.ts';
import { MODEL_FAULTS } from './model-faults.ts';
import { OPERATOR_FAULTS } from './operator-faults.ts';
import { SERVER_FAULTS } from './server-faults.ts';

/** All that are planted, one at a time. */
export const FAULTS: readonly Fault[] = [...MODEL_FAULTS, ...SERVER_FAULTS, ...OPERATOR_FAULTS];
