import * as z from 'zod';

/** RFC 1123 names, as Kubernetes wants them, so that a folder of manifests can move to a cluster unchanged. */
const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** Loose: a manifest that was read from a cluster carries fields that are the cluster's business. */
export const metadataSchema = z
  .looseObject({
    name: z
      .string()
      .max(253)
      .regex(SUBDOMAIN, { error: 'must be lower-case letters, digits, - and ., with a letter or digit at both ends' })
      .describe('Name of the resource, unique for its kind in its namespace'),
    namespace: z
      .string()
      .max(63)
      .regex(LABEL, { error: 'must be lower-case letters, digits and -, with a letter or digit at both ends' })
      .optional()
      .describe('Namespace of the resource; absent = default'),
    labels: z.record(z.string(), z.string()).optional().describe('Labels; not interpreted'),
    annotations: z
      .record(z.string(), z.string({ error: 'must be a string; quote it' }))
      .optional()
      .describe('Annotations; those of catalog.proplane.dev are instructions for the operator'),
  })
  .meta({ id: 'ResourceMetadata', description: 'Name, namespace, labels and annotations' });
