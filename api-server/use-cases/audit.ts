import { guarded } from '../access/guarded.ts';

/** What was done about access. */
export const listAudit = guarded(
  ['VIEW_AUDIT_LOG'],
  async (
    { parts },
    filter: {
      readonly count: number;
      readonly after?: string | undefined;
      readonly actor?: string | undefined;
      readonly action?: string | undefined;
    },
  ) => {
    await parts.auth.audit.flush();
    return parts.auth.audit.list(filter);
  },
);
