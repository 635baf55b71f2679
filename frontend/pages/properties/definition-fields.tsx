import { ENTITY_TYPES } from '../../../model/entity-type.ts';
import { VALUE_TYPES, type ValueType } from '../../../model/value-type.ts';
import { typeInWords } from '../catalogue/named-entity.ts';
import { Button } from '../parts/button.tsx';
import { CheckboxesField, CheckboxField, SelectField, TextField } from '../parts/fields.tsx';
import { AllowedValuesFields } from './allowed-values-fields.tsx';
import { type DefinitionForm, versionAt } from './definition-form.ts';

interface Props {
  readonly form: DefinitionForm;
  readonly isNew: boolean;
  readonly onChange: (change: Partial<DefinitionForm>) => void;
  readonly errorOf: (field: keyof DefinitionForm) => string | undefined;
}

const HOLDERS = ENTITY_TYPES.filter(({ holdsProperties }) => holdsProperties).map(({ name }) => option(name));
const NAMED = ENTITY_TYPES.map(({ name }) => option(name));

const VALUE_TYPE_LABELS: Readonly<Record<ValueType, string>> = {
  string: 'string: a short text',
  number: 'number',
  date: 'date: a day',
  rich_text: 'rich text: a long text',
  urn: 'urn: another entity',
};

/** Everything that a definition says. */
export function DefinitionFields({ form, isNew, onChange, errorOf }: Props) {
  return (
    <>
      {isNew && (
        <TextField
          label="Qualified name"
          isRequired
          autoFocus
          value={form.qualifiedName}
          onChange={(qualifiedName) => onChange({ qualifiedName })}
          placeholder="com.example.privacy.retentionTime"
          hint="Dotted, without blanks. It never changes."
          error={errorOf('qualifiedName')}
        />
      )}
      <TextField
        label="Display name"
        autoFocus={!isNew}
        value={form.displayName}
        onChange={(displayName) => onChange({ displayName })}
        error={errorOf('displayName')}
      />
      <TextField
        label="Description"
        rows={3}
        value={form.description}
        onChange={(description) => onChange({ description })}
        error={errorOf('description')}
      />
      <div className="filters">
        <SelectField
          label="Value type"
          value={form.valueType}
          onChange={(valueType) => onChange({ valueType })}
          options={VALUE_TYPES.map((value) => ({ value, label: VALUE_TYPE_LABELS[value] }))}
          error={errorOf('valueType')}
        />
        <SelectField
          label="How many values"
          value={form.cardinality}
          onChange={(cardinality) => onChange({ cardinality })}
          options={[
            { value: 'SINGLE', label: 'one' },
            { value: 'MULTIPLE', label: 'several' },
          ]}
          error={errorOf('cardinality')}
        />
      </div>
      <CheckboxesField
        label="For entities of type"
        value={form.entityTypes}
        onChange={(entityTypes) => onChange({ entityTypes })}
        options={HOLDERS}
        error={errorOf('entityTypes')}
      />
      {form.valueType === 'urn' && (
        <CheckboxesField
          label="A value names an entity of type"
          hint="None: of any type."
          value={form.allowedTypes}
          onChange={(allowedTypes) => onChange({ allowedTypes })}
          options={NAMED}
          error={errorOf('allowedTypes')}
        />
      )}
      <AllowedValuesFields form={form} onChange={onChange} error={errorOf('allowedValues')} />
      <CheckboxField
        label="A value, once set, stays"
        hint="It can neither be changed nor removed by a write."
        isSelected={form.immutable}
        onChange={(immutable) => onChange({ immutable })}
      />
      <div className="field-with-button">
        <TextField
          label="Version"
          value={form.version}
          onChange={(version) => onChange({ version })}
          hint="14 digits, such as 20260131000000. Needed for breaking changes only, and greater each time."
          inputMode="numeric"
          error={errorOf('version')}
        />
        <Button onPress={() => onChange({ version: versionAt(Date.now()) })}>Now</Button>
      </div>
    </>
  );
}

function option(name: string) {
  return { value: name, label: typeInWords(name) };
}
