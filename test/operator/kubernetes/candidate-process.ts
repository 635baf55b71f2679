import { setTimeout as sleep } from 'node:timers/promises';
import { createKubeClient } from '../../../kubernetes/create-kube-client.ts';
import { loadKubeConfig } from '../../../kubernetes/load-kube-config.ts';
import { LeaderElector } from '../../../operator/kubernetes/leader-election.ts';
import type { Term } from '../../../operator/kubernetes/leadership.ts';
import { SYSTEM_CLOCK } from '../../../process/clock.ts';
import { CONFIG_MAPS, configMapRef } from './config-maps.ts';

/**
 * A candidate in a process of its own: `candidate-process.ts NAMESPACE LEASE IDENTITY`. As leader it writes who it is
 * into the ConfigMap `written`, as often as it can, fenced by its term. It says what happens in lines of JSON.
 */

const [namespace = '', name = '', identity = ''] = process.argv.slice(2);
const kubeConfig = loadKubeConfig();
const userAgent = 'proplane-test';
const clock = SYSTEM_CLOCK;
let current: Term | undefined;
const say = (message: object) => console.log(JSON.stringify({ identity, ...message }));

const fenced = createKubeClient({ kubeConfig, userAgent, clock, beforeWrite: () => current?.isValid() === true });
const elector = new LeaderElector({
  client: createKubeClient({ kubeConfig, userAgent, clock, timeoutMs: 1000 }),
  namespace,
  name,
  identity,
  clock,
  leaseMs: 3000,
  renewDeadlineMs: 2000,
  retryMs: 200,
});

async function write(term: Term): Promise<void> {
  const { transitions } = term.fence;
  const data = { writer: identity, transitions: String(transitions) };
  let wasValid = true;
  const isValid = () => {
    const valid = term.isValid();
    if (valid !== wasValid) say({ did: valid ? 'valid' : 'invalid', aborted: term.signal.aborted });
    wasValid = valid;
    return valid;
  };
  // Goes on for a while after the end of the term, as work that nobody waits for does.
  for (let late = 0; late < 50; ) {
    if (!isValid()) late += 1;
    try {
      await fenced.patch(configMapRef('written', namespace), [{ op: 'add', path: '/data', value: data }]);
    } catch (error) {
      if ((error as { code?: string }).code === 'missing')
        await fenced.create(CONFIG_MAPS, { metadata: { name: 'written' }, data }, namespace).catch(() => undefined);
    }
    if (term.signal.aborted && isValid()) return;
    await sleep(5);
  }
}

const ending = new AbortController();
process.once('SIGTERM', () => ending.abort());
await elector.run(async (term) => {
  current = term;
  say({ did: 'lead', transitions: term.fence.transitions });
  await write(term);
  say({ did: 'end', transitions: term.fence.transitions, aborted: term.signal.aborted });
}, ending.signal);
say({ did: 'stop' });
