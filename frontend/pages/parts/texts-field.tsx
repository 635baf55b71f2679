import { useId, useState } from 'react';
import { Button } from './button.tsx';
import './texts-field.css';

interface Props {
  readonly label: string;
  readonly value: readonly string[];
  readonly onChange: (value: readonly string[]) => void;
  /** What may be meant; other texts can be typed too. */
  readonly suggestions?: readonly string[];
  readonly placeholder?: string;
  readonly hint?: string;
  /** Makes a full text of what was typed, such as a URN of a name. */
  readonly complete?: (typed: string) => string;
  readonly isDisabled?: boolean;
}

/** Several texts: each is typed or taken from the suggestions, then added. */
export function TextsField(props: Props) {
  const { label, value, onChange, suggestions = [], placeholder, hint, isDisabled = false } = props;
  const { complete = (typed) => typed } = props;
  const [typed, setTyped] = useState('');
  const id = useId();
  const add = () => {
    const text = typed.trim();
    if (text === '') return;
    const added = complete(text);
    if (!value.includes(added)) onChange([...value, added]);
    setTyped('');
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset names itself by a legend, which cannot be laid out
    <div className="field" role="group" aria-labelledby={`${id}-label`}>
      <label className="field-label" id={`${id}-label`} htmlFor={id}>
        {label}
      </label>
      {value.length > 0 && (
        <ul className="texts">
          {value.map((text) => (
            <li key={text}>
              <span>{text}</span>
              {!isDisabled && (
                <Button
                  look="quiet"
                  aria-label={`Remove ${text}`}
                  onPress={() => onChange(value.filter((each) => each !== text))}
                >
                  <span aria-hidden="true">×</span>
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {!isDisabled && (
        <div className="texts-new">
          <input
            id={id}
            className="field-input"
            list={`${id}-suggestions`}
            value={typed}
            placeholder={placeholder}
            aria-describedby={hint === undefined ? undefined : `${id}-hint`}
            onChange={(event) => setTyped(event.target.value)}
            onBlur={add}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              // It would send the form.
              event.preventDefault();
              add();
            }}
          />
          <datalist id={`${id}-suggestions`}>
            {suggestions.map((text) => (
              <option key={text} value={text} />
            ))}
          </datalist>
          <Button onPress={add} aria-label={`Add to ${label}`}>
            Add
          </Button>
        </div>
      )}
      {hint !== undefined && !isDisabled && (
        <span className="field-hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}
