export interface AuditSearch {
  /** URN. */
  readonly actor?: string;
  readonly action?: string;
}

export function parseAuditSearch({ actor, action }: Readonly<Record<string, unknown>>): AuditSearch {
  return {
    ...(typeof actor === 'string' && actor !== '' ? { actor } : {}),
    ...(typeof action === 'string' && action !== '' ? { action } : {}),
  };
}
