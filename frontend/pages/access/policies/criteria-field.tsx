import { useState } from 'react';
import type { Criterion } from '../../../../model/access/policy.ts';
import { Button } from '../../parts/button.tsx';
import { SelectField } from '../../parts/fields.tsx';
import { TextsField } from '../../parts/texts-field.tsx';
import { CONDITIONS, FIELDS } from './criterion-words.ts';
import './criteria-field.css';

interface Props {
  readonly value: readonly Criterion[];
  readonly onChange: (value: readonly Criterion[]) => void;
}

/** On which entities a policy grants: those that meet all criteria; every one when there is none. */
export function CriteriaField({ value, onChange }: Props) {
  const [keys, setKeys] = useState(() => value.map(newKey));
  const add = () => {
    setKeys([...keys, newKey()]);
    onChange([...value, { field: 'TYPE', condition: 'EQUALS', values: [] }]);
  };
  const remove = (at: number) => {
    setKeys(keys.toSpliced(at, 1));
    onChange(value.toSpliced(at, 1));
  };
  const replace = (at: number, criterion: Criterion) => onChange(value.with(at, criterion));
  return (
    <div className="stack">
      <p className="quiet">
        {value.length === 0
          ? 'On every entity. Add a criterion to narrow that.'
          : 'On entities that meet all of these; a criterion is met by any of its values.'}
      </p>
      {value.map((criterion, at) => (
        <fieldset key={keys[at]} className="criterion">
          <legend className="quietly">Criterion {at + 1}</legend>
          <SelectField
            label="Field"
            value={criterion.field}
            onChange={(field) => replace(at, { ...criterion, field, values: [] })}
            options={FIELDS}
          />
          <SelectField
            label="Condition"
            value={criterion.condition}
            onChange={(condition) => replace(at, { ...criterion, condition })}
            options={CONDITIONS}
          />
          <TextsField
            key={criterion.field}
            label="Values"
            value={criterion.values}
            onChange={(values) => replace(at, { ...criterion, values: [...values] })}
            placeholder={FIELDS.find((field) => field.value === criterion.field)?.example ?? ''}
          />
          <Button look="quiet" aria-label={`Remove criterion ${at + 1}`} onPress={() => remove(at)}>
            Remove
          </Button>
        </fieldset>
      ))}
      <div className="row">
        <Button onPress={add}>Add criterion</Button>
      </div>
    </div>
  );
}

let keysSoFar = 0;

/** A criterion is nothing but its contents: this tells one from another while they are edited. */
function newKey(): number {
  keysSoFar += 1;
  return keysSoFar;
}
