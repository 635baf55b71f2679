import { Counter, Histogram, type Registry } from 'prom-client';
import type { ObservedAnswer } from '../../client/http-client.ts';

/** Client-go's own for `rest_client_request_duration_seconds`. */
const KUBE_BUCKETS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];

/** The same as those of the API server's own durations. */
const API_BUCKETS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30];

/** Requests to the Kubernetes API, under the names of client-go. @returns what to tell of each. */
export function kubeRequestMetrics(registry: Registry): (answer: ObservedAnswer & { readonly host: string }) => void {
  const registers = [registry];
  const total = new Counter({
    name: 'rest_client_requests_total',
    help: 'Number of HTTP requests, partitioned by status code, method, and host',
    labelNames: ['code', 'method', 'host'],
    registers,
  });
  const durations = new Histogram({
    name: 'rest_client_request_duration_seconds',
    help: 'Request latency in seconds. Broken down by verb, and host',
    labelNames: ['verb', 'host'],
    buckets: KUBE_BUCKETS,
    registers,
  });
  return ({ method, host, status, seconds }) => {
    total.inc({ code: status ?? '<error>', method, host });
    durations.observe({ verb: method, host }, seconds);
  };
}

/** Requests to the API server, by class of status: `2xx`, `4xx`, …, or `none` without an answer. */
export function apiRequestMetrics(registry: Registry): (answer: ObservedAnswer) => void {
  const registers = [registry];
  const total = new Counter({
    name: 'proplane_api_requests_total',
    help: 'Requests to the API server by method and class of status',
    labelNames: ['method', 'code'],
    registers,
  });
  const durations = new Histogram({
    name: 'proplane_api_request_duration_seconds',
    help: 'Time from a request to the API server to the beginning of its answer',
    labelNames: ['method', 'code'],
    buckets: API_BUCKETS,
    registers,
  });
  return ({ method, status, seconds }) => {
    const code = status === undefined ? 'none' : `${Math.floor(status / 100)}xx`;
    total.inc({ method, code });
    durations.observe({ method, code }, seconds);
  };
}
