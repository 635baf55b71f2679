import type { KubeObject, KubeResource } from '../../kubernetes/kube-object.ts';
import type { Term } from './leadership.ts';

export const LEASES: KubeResource = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases' };

/** `spec` of a Lease of coordination.k8s.io/v1. */
export interface LeaseSpec {
  /** Empty when the last holder released it. */
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  /** How many terms there were before this one. */
  readonly leaseTransitions?: number;
}

export function leaseSpecOf(lease: KubeObject): LeaseSpec {
  return (lease.spec ?? {}) as LeaseSpec;
}

export function fenceOf(lease: KubeObject): Term['fence'] {
  const { uid, creationTimestamp = '' } = lease.metadata;
  return { lease: uid, created: Date.parse(creationTimestamp), transitions: leaseSpecOf(lease).leaseTransitions ?? 0 };
}

/** Whether a Lease still is what it was in a term: the same Lease, and nobody has taken it since, not even oneself. */
export function isOfTerm(lease: KubeObject, fence: Term['fence'], identity: string): boolean {
  const { lease: uid, transitions } = fenceOf(lease);
  return uid === fence.lease && transitions === fence.transitions && leaseSpecOf(lease).holderIdentity === identity;
}

/** As the API server wants it in a Lease: with six decimals. */
export function microTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z');
}
