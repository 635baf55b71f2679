import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { loadKubeConfig } from '../kubernetes/load-kube-config.ts';
import { SYSTEM_CLOCK } from '../process/clock.ts';
import { readEnvironment } from '../process/read-environment.ts';
import { VERSION } from '../process/version.ts';
import { kubernetesOperatorEnvironment } from './config.ts';
import { credentialsOf } from './credentials.ts';
import { matchesLabels, parseLabelSelector } from './kubernetes/label-selector.ts';
import { createKubernetesOperator } from './kubernetes-operator.ts';
import { OperatorMetrics } from './metrics/operator-metrics.ts';
import { createOperatorServer } from './operator-server.ts';
import { mayActAs } from './token-actors.ts';

/** The operator over the resources of a cluster, as a process of its own. @throws Error that names what is wrong */
export async function startKubernetesRole(log: Logger): Promise<{ stop(): Promise<void> }> {
  const config = readEnvironment(kubernetesOperatorEnvironment, process.env);
  const kubeConfig = loadKubeConfig();
  const { SHARD: shard, WATCH_NAMESPACES: namespaces } = config;
  const selector = config.WATCH_LABEL_SELECTOR === '' ? undefined : parseLabelSelector(config.WATCH_LABEL_SELECTOR);
  const context = kubeConfig.getContextObject(kubeConfig.getCurrentContext());
  const metrics = new OperatorMetrics({ concurrency: config.CONCURRENCY, rows: () => operator.rows() });
  const operator = createKubernetesOperator({
    host: config.PROPLANE_HOST,
    credentials: credentialsOf(config, SYSTEM_CLOCK),
    kubeConfig,
    namespaces,
    ...(selector === undefined ? {} : { isOurs: (labels) => matchesLabels(selector, labels) }),
    mayActAs: (namespace, actorUrn) => mayActAs(config.ACCESS_TOKEN_ACTORS, namespace, actorUrn),
    shard,
    ...(config.SOURCE_NAME === undefined ? {} : { sourceName: config.SOURCE_NAME }),
    lease: {
      namespace: config.LEASE_NAMESPACE ?? context?.namespace ?? namespaces.toSorted()[0] ?? 'default',
      name: shard === '' ? config.LEASE_NAME : `${config.LEASE_NAME}-${shard}`,
      identity: `${hostname()}_${randomUUID()}`,
      leaseMs: config.LEASE_DURATION_S * 1000,
      renewDeadlineMs: config.LEASE_RENEW_DEADLINE_S * 1000,
      retryMs: config.LEASE_RETRY_S * 1000,
    },
    concurrency: config.CONCURRENCY,
    resyncSeconds: config.RESYNC_INTERVAL_S,
    watchIdleMs: config.WATCH_IDLE_S * 1000,
    adoptsUnowned: config.ADOPT_EXISTING,
    version: VERSION,
    metrics,
    log,
    clock: SYSTEM_CLOCK,
  });
  const server = await createOperatorServer({
    host: config.HOST,
    allowedHosts: config.ALLOWED_HOSTS,
    port: config.OPERATOR_PORT,
    registry: metrics.registry,
    isAlive: () => operator.isAlive,
    isReady: () => operator.isReady,
  });
  log.info({ url: server.url }, 'listening');
  operator.start();
  return {
    async stop() {
      await operator.stop();
      await server.stop();
    },
  };
}
