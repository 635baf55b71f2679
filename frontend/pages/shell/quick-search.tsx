import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/fields.tsx';

/** Leads to the datasets of which names or descriptions have some words. */
export function QuickSearch() {
  const [text, setText] = useState('');
  const navigate = useNavigate();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void navigate({ to: '/datasets', search: text.trim() === '' ? {} : { q: text } });
  };
  return (
    <search aria-label="Datasets">
      <form className="field-with-button overview-search" onSubmit={submit}>
        <TextField
          label="Find datasets"
          type="search"
          value={text}
          onChange={setText}
          placeholder="Words of their names"
        />
        <Button type="submit" look="primary">
          Search
        </Button>
      </form>
    </search>
  );
}
