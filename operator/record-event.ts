import type { OperatorEvent } from './event.ts';
import type { EventRecorder } from './kubernetes/event-recorder.ts';
import type { KubernetesSource } from './source/kubernetes/kubernetes-source.ts';

/** Reasons of waiting that call for somebody to do something. */
const ALARMING: ReadonlySet<string | undefined> = new Set([
  'ServerUnavailable',
  'Unauthorized',
  'KubernetesForbidden',
  'KubernetesRefused',
  'InternalError',
]);

/** Has an event that is about a resource recorded where `kubectl describe` shows it. */
export function recordEvent(
  { type, id, reason, message }: OperatorEvent,
  source: Pick<KubernetesSource, 'regarding'>,
  recorder: Pick<EventRecorder, 'record'>,
): void {
  const regarding = id === undefined ? undefined : source.regarding(id);
  if (regarding === undefined) return;
  // What became of a resource is said by its reason; what was done, by the type. `Applied` is what was done.
  const isState = type === 'Waiting' || type === 'Stalled' || (type === 'Ready' && reason !== 'Applied');
  recorder.record({
    regarding,
    type: type === 'Stalled' || ALARMING.has(reason) ? 'Warning' : 'Normal',
    reason: isState ? (reason ?? type) : type,
    action: 'Reconcile',
    note: message,
  });
}
