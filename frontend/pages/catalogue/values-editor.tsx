import type { Definition } from '../../../model/definition.ts';
import { valueTypeOf } from '../../../model/vocabulary.ts';
import { Button } from '../parts/button.tsx';
import { CheckboxesField, SelectField, TextField } from '../parts/fields.tsx';
import { type Problems, textOfValue } from './value-texts.ts';

interface Props {
  readonly label: string;
  readonly definition: Definition;
  readonly isMultiple: boolean;
  /** A field each; read by `readTexts`. */
  readonly texts: readonly string[];
  readonly onChange: (texts: readonly string[]) => void;
  readonly problems?: Problems;
  readonly autoFocus?: boolean;
}

const NO_PROBLEMS: Problems = new Map();

/** Fields for values of a property, by its type, by how many it may have, and by the values that it allows. */
export function ValuesEditor(props: Props) {
  const { label, definition, isMultiple, texts, onChange, problems = NO_PROBLEMS, autoFocus = false } = props;
  if (definition.allowedValues !== undefined && definition.allowedValues.length > 0) return <Choice {...props} />;
  if (!isMultiple) {
    return (
      <ValueField
        label={label}
        definition={definition}
        text={texts[0] ?? ''}
        onChange={(text) => onChange([text])}
        problem={problems.get(0) ?? problems.get(-1)}
        autoFocus={autoFocus}
      />
    );
  }
  const shown = texts.length === 0 ? [''] : texts;
  return (
    <fieldset className="field">
      <legend className="field-label">{label}</legend>
      <div className="stack-tight">
        {shown.map((text, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a value is known by its place
          <div key={at} className="field-with-button">
            <ValueField
              label={`Value ${at + 1}`}
              definition={definition}
              text={text}
              onChange={(changed) => onChange(shown.with(at, changed))}
              problem={problems.get(at)}
              autoFocus={autoFocus && at === 0}
            />
            <Button
              look="quiet"
              isDisabled={shown.length === 1}
              onPress={() => onChange(shown.toSpliced(at, 1))}
              aria-label={`Remove value ${at + 1}`}
            >
              Remove
            </Button>
          </div>
        ))}
        <span>
          <Button onPress={() => onChange([...shown, ''])}>Add a value</Button>
        </span>
        {problems.has(-1) && <span className="field-error">{problems.get(-1)}</span>}
      </div>
    </fieldset>
  );
}

/** Of values that are listed. What stands there and is not listed can stay. */
function Choice({ label, definition, isMultiple, texts, onChange, problems = NO_PROBLEMS, autoFocus = false }: Props) {
  const listed = (definition.allowedValues ?? []).map(({ value, description }) => ({
    value: textOfValue(value),
    hint: description,
  }));
  const others = texts.filter((text) => text !== '' && !listed.some(({ value }) => value === text));
  const options = [...listed, ...others.map((value) => ({ value, hint: undefined }))];
  const error = problems.size === 0 ? undefined : [...problems.values()].join('; ');
  if (isMultiple) {
    return (
      <CheckboxesField
        label={label}
        value={texts}
        onChange={onChange}
        options={options.map(({ value, hint }) => ({ value, label: value, hint }))}
        error={error}
      />
    );
  }
  return (
    <SelectField
      label={label}
      value={texts[0] ?? ''}
      onChange={(text) => onChange([text])}
      options={[
        { value: '', label: 'Choose a value' },
        ...options.map(({ value, hint }) => ({ value, label: hint === undefined ? value : `${value} — ${hint}` })),
      ]}
      error={error}
      autoFocus={autoFocus}
    />
  );
}

interface FieldProps {
  readonly label: string;
  readonly definition: Definition;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly problem: string | undefined;
  readonly autoFocus: boolean;
}

function ValueField({ label, definition, text, onChange, problem, autoFocus }: FieldProps) {
  const valueType = valueTypeOf(definition.valueType);
  return (
    <TextField
      label={label}
      value={text}
      onChange={onChange}
      error={problem}
      autoFocus={autoFocus}
      {...(valueType === 'number' ? { inputMode: 'decimal' as const } : {})}
      {...(valueType === 'date' ? { type: 'date' } : {})}
      {...(valueType === 'urn' ? { placeholder: 'urn:li:corpuser:ada' } : {})}
      {...(valueType === 'rich_text' ? { rows: 5 } : {})}
    />
  );
}
