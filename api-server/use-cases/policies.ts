import { audited } from '../access/audited.ts';
import { guarded } from '../access/guarded.ts';
import * as policies from '../auth/policies.ts';

/** Who may do what: read and changed by those who manage it. */

export const listPolicies = guarded(['MANAGE_POLICIES'], async (request) =>
  policies.effectivePolicies(request.parts, await request.registry()),
);

export const putPolicy = audited(
  'putPolicy',
  guarded(['MANAGE_POLICIES'], ({ parts }, id: string, body: object) => policies.putPolicy(parts, id, body)),
  (_policy, id) => id,
);

export const deletePolicy = audited(
  'deletePolicy',
  guarded(['MANAGE_POLICIES'], ({ parts }, id: string) => policies.deletePolicy(parts, id)),
  (_nothing, id) => id,
);
