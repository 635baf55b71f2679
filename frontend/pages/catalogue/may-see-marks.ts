import { holds, useMe } from '../api/me.ts';

/** Whether owner marks are shown to whoever is signed in: asking for them without the privilege is refused as a whole. */
export function useMaySeeMarks(): boolean {
  return holds(useMe(), 'VIEW_RESOURCES', 'MANAGE_RESOURCES');
}
