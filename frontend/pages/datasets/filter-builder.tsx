import { type FormEvent, useState } from 'react';
import { valueTypeOf } from '../../../model/vocabulary.ts';
import { ValuesEditor } from '../catalogue/values-editor.tsx';
import { Button } from '../parts/button.tsx';
import { SelectField, TextField } from '../parts/fields.tsx';
import { PickerField } from '../parts/picker-field.tsx';
import type { Condition, DatasetSearch } from './dataset-search.ts';
import { labelOf, meaningOf, type Operator, operatorsFor } from './operators.ts';
import { type SearchableField, searchFieldNamed } from './search-fields.ts';

interface Props {
  readonly search: DatasetSearch;
  readonly fields: readonly SearchableField[];
  readonly onSearch: (search: DatasetSearch) => void;
}

/** The text and the conditions of a search. They are looked for when the form is sent. */
export function FilterBuilder({ search, fields, onSearch }: Props) {
  const [text, setText] = useState(search.q ?? '');
  const [conditions, setConditions] = useState<readonly Condition[]>(search.where ?? []);
  const [any, setAny] = useState(search.any === true);
  const address = JSON.stringify([search.q, search.where, search.any]);
  const [shown, setShown] = useState(address);
  if (shown !== address) {
    // Another search was opened, such as by going back.
    setShown(address);
    setText(search.q ?? '');
    setConditions(search.where ?? []);
    setAny(search.any === true);
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { q: _, where: _w, any: _a, ...kept } = search;
    const sent = conditions.filter(({ field }) => field !== '');
    onSearch({
      ...kept,
      ...(text.trim() === '' ? {} : { q: text }),
      ...(sent.length === 0 ? {} : { where: sent }),
      ...(any && sent.length > 1 ? { any: true as const } : {}),
    });
  };
  return (
    <search aria-label="Datasets">
      <form className="search stack-tight" onSubmit={submit}>
        <div className="field-with-button">
          <TextField
            label="Names and descriptions"
            type="search"
            value={text}
            onChange={setText}
            placeholder="orders"
          />
          <Button type="submit" look="primary">
            Search
          </Button>
        </div>
        {conditions.length > 1 && (
          <div className="condition-match">
            <SelectField
              label="Find datasets that meet"
              value={any ? 'any' : 'all'}
              onChange={(value) => setAny(value === 'any')}
              options={[
                { value: 'all', label: 'all of these conditions' },
                { value: 'any', label: 'any of these conditions' },
              ]}
            />
          </div>
        )}
        {conditions.map((condition, at) => (
          <ConditionRow
            // biome-ignore lint/suspicious/noArrayIndexKey: a condition is known by its place
            key={at}
            number={at + 1}
            condition={condition}
            fields={fields}
            onChange={(changed) => setConditions(conditions.with(at, changed))}
            onRemove={() => setConditions(conditions.toSpliced(at, 1))}
          />
        ))}
        <span>
          <Button onPress={() => setConditions([...conditions, { field: '', is: 'is', values: [] }])}>
            Add a condition
          </Button>
        </span>
      </form>
    </search>
  );
}

interface RowProps {
  readonly number: number;
  readonly condition: Condition;
  readonly fields: readonly SearchableField[];
  readonly onChange: (condition: Condition) => void;
  readonly onRemove: () => void;
}

function ConditionRow({ number, condition, fields, onChange, onRemove }: RowProps) {
  const { field, is, values } = condition;
  const { definition, title } = searchFieldNamed(fields, field);
  const valueType = valueTypeOf(definition.valueType);
  const takes = meaningOf(is).values;
  return (
    <fieldset className="condition">
      <legend className="quietly">Condition {number}</legend>
      <PickerField
        label="Property or field"
        placeholder="Type a part of its name"
        options={fields.map((each) => ({ value: each.field, label: each.title, hint: each.hint }))}
        value={field === '' ? null : field}
        onChange={(chosen) => onChange({ field: chosen, is: 'is', values: [] })}
      />
      {field !== '' && (
        <SelectField<Operator>
          label="Comparison"
          value={is}
          onChange={(operator) =>
            onChange({ field, is: operator, values: meaningOf(operator).values === 'none' ? [] : values })
          }
          options={operatorsFor(valueType).map((value) => ({ value, label: labelOf(value, valueType) }))}
        />
      )}
      {field !== '' && takes !== 'none' && (
        <ValuesEditor
          label={takes === 'several' ? `${title}: one of` : title}
          definition={definition}
          isMultiple={takes === 'several'}
          texts={values}
          onChange={(texts) => onChange({ field, is, values: texts })}
        />
      )}
      <Button look="quiet" onPress={onRemove} aria-label={`Remove condition ${number}`}>
        Remove
      </Button>
    </fieldset>
  );
}
