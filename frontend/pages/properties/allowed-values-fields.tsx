import { Button } from '../parts/button.tsx';
import { CheckboxField, TextField } from '../parts/fields.tsx';
import type { AllowedValueForm, DefinitionForm } from './definition-form.ts';
import './allowed-values-fields.css';

interface Props {
  readonly form: DefinitionForm;
  readonly onChange: (change: Partial<DefinitionForm>) => void;
  readonly error: string | undefined;
}

const NONE: AllowedValueForm = { value: '', description: '' };

/** Whether only listed values are allowed, and which. */
export function AllowedValuesFields({ form: { isRestricted, allowedValues, valueType }, onChange, error }: Props) {
  const set = (next: readonly AllowedValueForm[]) => onChange({ allowedValues: next });
  return (
    <fieldset className="stack-tight">
      <legend className="field-label">Allowed values</legend>
      <CheckboxField
        label="Only these values are allowed"
        isSelected={isRestricted}
        onChange={(restricted) =>
          onChange({ isRestricted: restricted, ...(allowedValues.length === 0 ? { allowedValues: [NONE] } : {}) })
        }
      />
      {isRestricted &&
        allowedValues.map((allowed, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a value is known by its place
          <div key={at} className="allowed-value">
            <TextField
              label={`Value ${at + 1}`}
              value={allowed.value}
              isRequired
              {...(valueType === 'number' ? { inputMode: 'decimal' as const } : {})}
              {...(valueType === 'date' ? { type: 'date' } : {})}
              onChange={(value) => set(allowedValues.with(at, { ...allowed, value }))}
            />
            <TextField
              label={`Meaning of value ${at + 1}`}
              value={allowed.description}
              onChange={(description) => set(allowedValues.with(at, { ...allowed, description }))}
            />
            <Button
              look="quiet"
              aria-label={`Remove value ${at + 1}`}
              onPress={() => set(allowedValues.toSpliced(at, 1))}
            >
              Remove
            </Button>
          </div>
        ))}
      {isRestricted && (
        <span>
          <Button onPress={() => set([...allowedValues, NONE])}>Add a value</Button>
        </span>
      )}
      {error !== undefined && (
        <span className="field-error" role="alert">
          {error}
        </span>
      )}
    </fieldset>
  );
}
