import { audited } from '../access/audited.ts';
import { guarded } from '../access/guarded.ts';
import * as policies from '../auth/policies.ts';

/** Who may do what: read and changed by those who manage it. */

export const listPolicies = guarded(['MANAGE_POLICIES'], async (request) =>
  policies.effectivePolicies(request.parts, await request.registry()),
);

export const putPolicy = audited(
  'putPolicy',
  (_policy, id) => id,
  guarded(['MANAGE_POLICIES'], ({ parts }, id: string, body: object) => policies.putPolicy(parts, id, body)),
);

export const deletePolicy = audited(
  'deletePolicy',
  (_nothing, id) => id,
  guarded(['MANAGE_POLICIES'], ({ parts }, id: string) => policies.deletePolicy(parts, id)),
);
