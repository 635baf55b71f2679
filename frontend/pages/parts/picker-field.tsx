import { useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { ComboBox } from 'react-aria-components/ComboBox';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import './picker-field.css';

export interface PickerOption {
  readonly value: string;
  readonly label: string;
  /** What it is found by too, and shown below it. */
  readonly hint?: string;
}

interface Props {
  readonly label: string;
  readonly options: readonly PickerOption[];
  readonly value: string | null;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  readonly autoFocus?: boolean;
}

/** More are not looked through by anybody: a few more letters leave fewer. */
const SHOWN = 50;

/** One of many, found by typing a part of its name. */
export function PickerField({ label, options, value, onChange, placeholder, autoFocus = false }: Props) {
  const chosen = options.find((option) => option.value === value)?.label ?? '';
  const [text, setText] = useState(chosen);
  const [shown, setShown] = useState(chosen);
  if (shown !== chosen) {
    // Chosen elsewhere, or its name was not known before.
    setShown(chosen);
    setText(chosen);
  }
  const found = matching(options, text === chosen ? '' : text);
  return (
    <ComboBox
      className="field"
      items={found.slice(0, SHOWN)}
      inputValue={text}
      onInputChange={setText}
      selectedKey={value}
      onSelectionChange={(key) => {
        const option = options.find((each) => each.value === key);
        if (option === undefined) return;
        setText(option.label);
        onChange(option.value);
      }}
      menuTrigger="focus"
      autoFocus={autoFocus}
      allowsEmptyCollection
    >
      <Label className="field-label">{label}</Label>
      <div className="picker">
        <Input className="field-input" {...(placeholder === undefined ? {} : { placeholder })} />
        <Button className="picker-button">
          <span aria-hidden="true">▾</span>
        </Button>
      </div>
      <Popover className="menu-popover picker-popover">
        <ListBox<PickerOption & object>
          className="menu picker-list"
          renderEmptyState={() => <span className="picker-none">Nothing is called so.</span>}
        >
          {(option) => (
            <ListBoxItem id={option.value} textValue={option.label} className="menu-item">
              {option.label}
              {option.hint !== undefined && <span className="picker-hint">{option.hint}</span>}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}

function matching(options: readonly PickerOption[], text: string): readonly PickerOption[] {
  const words = text.toLowerCase().split(/\s+/u);
  return options.filter(({ label, hint = '' }) => {
    const name = `${label} ${hint}`.toLowerCase();
    return words.every((word) => name.includes(word));
  });
}
