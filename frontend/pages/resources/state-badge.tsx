import { Badge } from '../parts/badge.tsx';
import type { ResourceState } from './resource-state.ts';

const KINDS = {
  Ready: 'good',
  Reconciling: 'accent',
  Stalled: 'bad',
  Paused: 'plain',
  Drifted: 'warn',
  Unknown: 'plain',
} as const;

export function StateBadge({ state }: { readonly state: ResourceState }) {
  return <Badge kind={KINDS[state]}>{state}</Badge>;
}
