/** How long an access token can live, as the reference catalogue names it. */
export const TOKEN_DURATIONS = [
  'ONE_HOUR',
  'ONE_DAY',
  'ONE_WEEK',
  'ONE_MONTH',
  'THREE_MONTHS',
  'SIX_MONTHS',
  'ONE_YEAR',
  'NO_EXPIRY',
] as const;

export type TokenDuration = (typeof TOKEN_DURATIONS)[number];

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const LENGTHS: Readonly<Record<TokenDuration, number | undefined>> = {
  ONE_HOUR: HOUR,
  ONE_DAY: DAY,
  ONE_WEEK: 7 * DAY,
  ONE_MONTH: 30 * DAY,
  THREE_MONTHS: 90 * DAY,
  SIX_MONTHS: 180 * DAY,
  ONE_YEAR: 365 * DAY,
  NO_EXPIRY: undefined,
};

/** In ms; `undefined`: it never ends. */
export function lengthOf(duration: TokenDuration): number | undefined {
  return LENGTHS[duration];
}
