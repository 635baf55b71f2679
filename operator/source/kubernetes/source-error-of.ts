import { KubeError } from '../../../kubernetes/kube-error.ts';
import { SourceError } from '../port.ts';

const REASONS: Partial<Record<KubeError['code'], string>> = {
  forbidden: 'KubernetesForbidden',
  unauthorized: 'KubernetesForbidden',
  invalid: 'KubernetesRefused',
  conflict: 'WriteConflict',
  fenced: 'LostLeadership',
};

/** What a failed request to the cluster means to a reconcile; any other error is handed back as it is. */
export function sourceErrorOf(error: unknown): unknown {
  if (!(error instanceof KubeError)) return error;
  const reason = REASONS[error.code] ?? 'KubernetesUnavailable';
  return new SourceError(reason, error.message, error);
}
