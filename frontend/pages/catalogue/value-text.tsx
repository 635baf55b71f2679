import type { Definition } from '../../../model/definition.ts';
import { sameTypedValue, type TypedValue } from '../../../model/typed-value.ts';
import { isUrnText } from '../../../model/urn.ts';
import { EntityLink } from './entity-link.tsx';
import { textOfValue } from './value-texts.ts';
import './value-text.css';

interface Props {
  readonly values: readonly TypedValue[];
  readonly definition?: Definition | undefined;
}

/** Values of a property, one below the other, with what the definition says of each. */
export function ValueTexts({ values, definition }: Props) {
  if (values.length === 0) return <span className="quiet">no value</span>;
  const isProse = definition?.valueType.endsWith('rich_text') === true;
  return (
    <ul className="values">
      {values.map((value) => {
        const text = textOfValue(value);
        const meaning = definition?.allowedValues?.find((allowed) => sameTypedValue(allowed.value, value))?.description;
        return (
          <li key={text} className={isProse ? 'values-prose' : undefined}>
            {'string' in value && isUrnText(text) ? <EntityLink urn={text} /> : text}
            {meaning !== undefined && <span className="quiet values-meaning">{meaning}</span>}
          </li>
        );
      })}
    </ul>
  );
}
