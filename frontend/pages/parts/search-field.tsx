import { useState } from 'react';
import { Button } from './button.tsx';
import { TextField } from './fields.tsx';
import './search-field.css';

interface Props {
  readonly label: string;
  readonly placeholder?: string;
  /** What is looked for now. */
  readonly value: string;
  /** Called when the button or Enter is pressed, with the text without spaces around it. */
  readonly onSearch: (text: string) => void;
}

/** A text that something is looked for by. Clearing it looks for everything again. */
export function SearchField({ label, placeholder, value, onSearch }: Props) {
  const [text, setText] = useState(value);
  return (
    <search>
      <form
        className="search-field"
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(text.trim());
        }}
      >
        <TextField
          label={label}
          type="search"
          value={text}
          onChange={(next) => {
            setText(next);
            if (next === '') onSearch('');
          }}
          {...(placeholder === undefined ? {} : { placeholder })}
        />
        <Button type="submit">Search</Button>
      </form>
    </search>
  );
}
