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
}

/**
 * Several texts: each is typed or taken from the suggestions, then added. What is typed counts as soon as it is there, so
 * that nothing is lost by a form that is sent before it is added.
 */
export function TextsField(props: Props) {
  const { label, value, onChange, suggestions = [], placeholder, hint } = props;
  const { complete = (typed) => typed } = props;
  const [typed, setTyped] = useState('');
  /** The last of the value, while it is being typed. */
  const [pending, setPending] = useState<string>();
  const added = pending === undefined ? value : value.slice(0, -1);
  const id = useId();
  const type = (text: string) => {
    const full = complete(text.trim());
    const next = full === '' || added.includes(full) ? undefined : full;
    setTyped(text);
    setPending(next);
    onChange(next === undefined ? added : [...added, next]);
  };
  const add = () => {
    setTyped('');
    setPending(undefined);
  };
  const remove = (text: string) => onChange(value.filter((each) => each !== text));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset names itself by a legend, which cannot be laid out
    <div className="field" role="group" aria-labelledby={`${id}-label`}>
      <label className="field-label" id={`${id}-label`} htmlFor={id}>
        {label}
      </label>
      {added.length > 0 && (
        <ul className="texts">
          {added.map((text) => (
            <li key={text}>
              <span>{text}</span>
              <Button look="quiet" aria-label={`Remove ${text}`} onPress={() => remove(text)}>
                <span aria-hidden="true">×</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div className="texts-new">
        <input
          id={id}
          className="field-input"
          list={`${id}-suggestions`}
          value={typed}
          placeholder={placeholder}
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
          onChange={(event) => type(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || typed === '') return;
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
      {hint !== undefined && (
        <span className="field-hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}
