/** What every installation has; policies may name others, which users are given likewise. */
export const ROLES = ['Admin', 'Editor', 'Reader'] as const;
