import { Button } from './button.tsx';

interface Props {
  /** Of the first row that is shown, from 0. */
  readonly start: number;
  /** How many rows a page has. */
  readonly page: number;
  readonly total: number;
  readonly onMove: (start: number) => void;
}

/** Which rows are shown of how many, and the way to the others. */
export function Pager({ start, page, total, onMove }: Props) {
  const end = Math.min(start + page, total);
  const isWhole = start === 0 && end === total;
  return (
    <nav className="row" aria-label="Pages">
      <span role="status" className="quiet">
        {total === 0 ? 'None' : isWhole ? `${total} in all` : `${start + 1}–${end} of ${total}`}
      </span>
      {!isWhole && (
        <>
          <Button isDisabled={start === 0} onPress={() => onMove(Math.max(0, start - page))}>
            Previous
          </Button>
          <Button isDisabled={end >= total} onPress={() => onMove(start + page)}>
            Next
          </Button>
        </>
      )}
    </nav>
  );
}
