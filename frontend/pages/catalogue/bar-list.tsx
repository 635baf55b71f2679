import { type ReactNode, useState } from 'react';
import { Button } from '../parts/button.tsx';
import './bar-list.css';

export interface Bar {
  readonly key: string;
  readonly label: ReactNode;
  readonly count: number;
  /** What follows from pressing it; without it the bar only shows. */
  readonly isChosen?: boolean;
}

interface Props {
  readonly label: string;
  readonly bars: readonly Bar[];
  /** Of what the bars are parts, as a noun in the plural. */
  readonly unit: string;
  readonly onToggle?: (key: string) => void;
}

const SHOWN = 8;

/**
 * A bar chart that lies on its side: a list, whose rows are what is counted, the count, and a bar whose length is the
 * count in proportion to the greatest. With `onToggle` each row is a button that is pressed or not.
 */
export function BarList({ label, bars, unit, onToggle }: Props) {
  const [isWhole, setWhole] = useState(false);
  const greatest = bars.reduce((most, { count }) => Math.max(most, count), 1);
  const chosenFirst = bars.filter(({ isChosen }, at) => isWhole || at < SHOWN || isChosen);
  return (
    <div className="bars">
      {/* biome-ignore lint/a11y/noRedundantRoles: a list without markers is none to some screen readers */}
      <ul className="bars-list" role="list" aria-label={label}>
        {chosenFirst.map((bar) => (
          <li key={bar.key}>
            {onToggle === undefined ? (
              <div className="bar">
                <BarRow bar={bar} greatest={greatest} unit={unit} />
              </div>
            ) : (
              <button
                type="button"
                className="bar"
                aria-pressed={bar.isChosen === true}
                onClick={() => onToggle(bar.key)}
              >
                <BarRow bar={bar} greatest={greatest} unit={unit} />
              </button>
            )}
          </li>
        ))}
      </ul>
      {bars.length > chosenFirst.length && (
        <Button look="quiet" onPress={() => setWhole(true)}>
          Show all {bars.length}
          <span className="quietly"> of {label}</span>
        </Button>
      )}
    </div>
  );
}

function BarRow({ bar, greatest, unit }: { readonly bar: Bar; readonly greatest: number; readonly unit: string }) {
  return (
    <>
      <span className="bar-label">{bar.label}</span>
      <span className="bar-count">
        {bar.count.toLocaleString('en')}
        <span className="quietly"> {unit}</span>
      </span>
      <svg className="bar-track" aria-hidden="true" focusable="false">
        <rect width={`${(bar.count / greatest) * 100}%`} height="100%" rx="2" />
      </svg>
    </>
  );
}
