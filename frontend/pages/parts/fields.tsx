import { type ReactNode, useEffect, useId, useRef } from 'react';
import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { TextArea } from 'react-aria-components/TextArea';
import { TextField as AriaTextField, type TextFieldProps } from 'react-aria-components/TextField';
import './fields.css';

interface TextProps extends Omit<TextFieldProps, 'className' | 'children'> {
  readonly label: string;
  readonly hint?: ReactNode;
  /** Rows of a text of several lines; absent: one line. */
  readonly rows?: number;
  /** What the server says of it. */
  readonly error?: string | undefined;
  readonly placeholder?: string;
}

/** A labelled text. With `isRequired`, what is empty is told at the field when its form is sent. */
export function TextField({ label, hint, rows, placeholder, error, ...props }: TextProps) {
  const hintText = placeholder === undefined ? {} : { placeholder };
  const field = useRef<HTMLDivElement>(null);
  useMendedAtOnce(field, props.value);
  return (
    <AriaTextField
      {...props}
      ref={field}
      className="field"
      // Only a shown error: it is for the server to say whether it is mended, and keeps no form from being sent again.
      {...(error === undefined ? {} : { isInvalid: true, validationBehavior: 'aria' as const })}
    >
      <Label className="field-label">
        {label}
        {props.isRequired && <Required />}
      </Label>
      {rows === undefined ? (
        <Input className="field-input" {...hintText} />
      ) : (
        <TextArea className="field-input" rows={rows} {...hintText} />
      )}
      {hint !== undefined && (
        <Text slot="description" className="field-hint">
          {hint}
        </Text>
      )}
      <FieldError className="field-error">{error}</FieldError>
    </AriaTextField>
  );
}

/**
 * Takes an error away when what it says is mended. React Aria would wait until the field is left, and what is pressed then
 * would move away under the pointer.
 */
function useMendedAtOnce(field: React.RefObject<HTMLDivElement | null>, value: string | undefined): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the value that mends
  useEffect(() => {
    const input = field.current?.querySelector<HTMLInputElement | HTMLTextAreaElement>('[data-invalid]');
    if (input?.validity.valid) input.dispatchEvent(new Event('change', { bubbles: true }));
  }, [field, value]);
}

interface SelectProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly onChange: (value: T) => void;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly hint?: ReactNode;
  /** What the server says of it. */
  readonly error?: string | undefined;
  readonly isDisabled?: boolean;
  readonly autoFocus?: boolean;
}

/** One of a few, by the browser's own control. */
export function SelectField<T extends string>(props: SelectProps<T>) {
  const { label, value, onChange, options, hint, error, isDisabled = false, autoFocus = false } = props;
  const id = useId();
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <select
        id={id}
        className="field-input"
        value={value}
        disabled={isDisabled}
        data-invalid={error === undefined ? undefined : true}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={`${hint === undefined ? '' : `${id}-hint`} ${error === undefined ? '' : `${id}-error`}`.trim()}
        // biome-ignore lint/a11y/noAutofocus: what was just opened to be changed
        autoFocus={autoFocus}
        onChange={(event) => onChange(event.target.value as T)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {hint !== undefined && (
        <span className="field-hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {error !== undefined && (
        <span className="field-error" id={`${id}-error`}>
          {error}
        </span>
      )}
    </div>
  );
}

interface CheckboxProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly isSelected: boolean;
  readonly onChange: (isSelected: boolean) => void;
  readonly isDisabled?: boolean;
}

export function CheckboxField({ label, hint, isSelected, onChange, isDisabled = false }: CheckboxProps) {
  const id = useId();
  return (
    <div className="checkbox">
      <input
        id={id}
        type="checkbox"
        checked={isSelected}
        disabled={isDisabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      {hint !== undefined && (
        <span className="field-hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}

interface ManyProps<T extends string> {
  readonly label: string;
  readonly value: readonly T[];
  readonly onChange: (value: readonly T[]) => void;
  readonly options: readonly { readonly value: T; readonly label: string; readonly hint?: string | undefined }[];
  readonly hint?: ReactNode;
  /** What the server says of it. */
  readonly error?: string | undefined;
}

/** Any of a few. */
export function CheckboxesField<T extends string>({ label, value, onChange, options, hint, error }: ManyProps<T>) {
  const id = useId();
  return (
    <fieldset className="field" aria-describedby={error === undefined ? undefined : id}>
      <legend className="field-label">{label}</legend>
      {hint !== undefined && <span className="field-hint">{hint}</span>}
      <div className="checkboxes">
        {options.map((option) => (
          <CheckboxField
            key={option.value}
            label={option.label}
            {...(option.hint === undefined ? {} : { hint: option.hint })}
            isSelected={value.includes(option.value)}
            onChange={(isSelected) =>
              onChange(isSelected ? [...value, option.value] : value.filter((each) => each !== option.value))
            }
          />
        ))}
      </div>
      {error !== undefined && (
        <span className="field-error" id={id}>
          {error}
        </span>
      )}
    </fieldset>
  );
}

function Required() {
  return <span className="field-required"> (required)</span>;
}
