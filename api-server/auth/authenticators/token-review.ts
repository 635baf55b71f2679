import * as z from 'zod';
import type { KubeReviews } from '../../../kubernetes/kube-client.ts';
import { KubeError } from '../../../kubernetes/kube-error.ts';
import { AuthenticationError, type Identity } from '../authenticator.ts';

const TOKEN_REVIEWS = { group: 'authentication.k8s.io', version: 'v1', plural: 'tokenreviews' };

const answerSchema = z.object({
  status: z.object({
    authenticated: z.boolean().default(false),
    error: z.string().optional(),
    audiences: z.array(z.string()).default([]),
    user: z.object({ username: z.string().default('') }).default({ username: '' }),
  }),
});

const ACCOUNT = /^system:serviceaccount:([a-z0-9-]+):([a-z0-9.-]+)$/u;

/**
 * Asks the cluster whose token it is.
 * @throws KubeError when it cannot be asked; AuthenticationError when it is not good, not for that audience, or of
 * somebody else than a ServiceAccount.
 */
export async function reviewToken(kube: KubeReviews, token: string, audience: string): Promise<Identity> {
  const question = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenReview',
    spec: { token, audiences: [audience] },
  };
  const answer = answerSchema.safeParse(await kube.review(TOKEN_REVIEWS, question));
  if (!answer.success) throw new KubeError('unavailable', 'TokenReview: the answer is none');
  const { authenticated, audiences, user, error } = answer.data.status;
  if (!authenticated) throw new AuthenticationError(`Kubernetes refuses it: ${error ?? 'no reason is given'}`);
  // An API server that knows nothing of audiences answers without them.
  if (!audiences.includes(audience)) throw new AuthenticationError('Kubernetes does not say that it is for us');
  const [, namespace, name] = ACCOUNT.exec(user.username) ?? [];
  if (namespace === undefined || name === undefined)
    throw new AuthenticationError(`${user.username} is no ServiceAccount`);
  return {
    actor: `urn:li:corpuser:${user.username}`,
    groups: ['urn:li:corpGroup:system:serviceaccounts', `urn:li:corpGroup:system:serviceaccounts:${namespace}`],
    roles: [],
    by: 'service-account',
  };
}
