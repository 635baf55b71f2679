export interface UsersSearch {
  /** Absent: the users. */
  readonly tab?: 'groups';
  /** What users are looked for by. */
  readonly query?: string;
}

export function parseUsersSearch({ tab, query }: Readonly<Record<string, unknown>>): UsersSearch {
  return {
    ...(tab === 'groups' ? { tab } : {}),
    ...(typeof query === 'string' && query !== '' ? { query } : {}),
  };
}
