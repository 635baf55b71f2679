import { createHash } from 'node:crypto';
import { canonicalJson } from '../canonical-json.ts';
import { ownAnnotationsText } from './annotations.ts';

/**
 * Changes exactly when the wishes of a manifest change: its spec and the annotations of Proplane's group; not with
 * comments, the order of keys, labels or the place in the file. Also for manifests that are not valid.
 */
export function specHash(document: unknown): string {
  const { spec, metadata, apiVersion } = document as {
    spec?: unknown;
    metadata?: { annotations?: unknown };
    apiVersion?: unknown;
  };
  const annotations = ownAnnotationsText(metadata?.annotations);
  return createHash('sha256')
    .update(canonicalJson([apiVersion ?? '', spec ?? null, annotations]))
    .digest('hex')
    .slice(0, 32);
}
