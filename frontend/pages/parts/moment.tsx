const SHORT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const LONG = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });

interface Props {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** With seconds and the time zone. */
  readonly isExact?: boolean;
}

/** A moment, in the zone of the browser. */
export function Moment({ at, isExact = false }: Props) {
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} title={LONG.format(date)}>
      {isExact ? EXACT.format(date) : SHORT.format(date)}
    </time>
  );
}

const EXACT = new Intl.DateTimeFormat(undefined, {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
});
