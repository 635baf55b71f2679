import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { TypedValue } from '../../../model/typed-value.ts';
import type { OwnerMark } from '../../../model/wire/owner-mark.ts';
import { ApiError } from '../api/api-error.ts';
import { OwnerLink } from '../catalogue/owner-link.tsx';
import type { Property } from '../catalogue/property.ts';
import { type Problems, problemsOf, readTexts, textOfValue } from '../catalogue/value-texts.ts';
import { ValuesEditor } from '../catalogue/values-editor.tsx';
import { announce } from '../parts/announcer.tsx';
import { Button } from '../parts/button.tsx';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Notice } from '../parts/notice.tsx';
import { upsertValues } from './change-values.ts';

interface Props {
  readonly holder: string;
  readonly property: Property;
  readonly values: readonly TypedValue[];
  /** The resource that wishes the values. */
  readonly owner: OwnerMark | undefined;
  readonly onSaved: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** The values of one property on one entity, to be changed. What the server refuses is shown at the field. */
export function ValueForm({ holder, property, values, owner, onSaved, onClose }: Props) {
  const [texts, setTexts] = useState<readonly string[]>(values.map(textOfValue));
  const [ownProblems, setOwnProblems] = useState<Problems>();
  const save = useMutation({
    mutationFn: (next: readonly TypedValue[]) => upsertValues(holder, property.urn, next),
    onSuccess: async () => {
      await onSaved();
      announce(`Saved ${property.title}.`);
      onClose();
    },
  });
  const refused = save.error instanceof ApiError ? save.error.violations : [];
  const problems = ownProblems ?? problemsOf(refused, texts);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = readTexts(texts, property.definition);
    const found = read.values.length > 0 || read.problems.size > 0 ? read.problems : new Map([[0, 'Give a value.']]);
    setOwnProblems(found.size > 0 ? found : undefined);
    if (found.size === 0) save.mutate(read.values);
  };
  return (
    <form className="stack-tight value-form" onSubmit={submit} noValidate aria-label={`Values of ${property.title}`}>
      {owner !== undefined && <OwnerWarning owner={owner} />}
      <ValuesEditor
        label={property.isMultiple ? `Values of ${property.title}` : `Value of ${property.title}`}
        definition={property.definition}
        isMultiple={property.isMultiple}
        texts={texts}
        onChange={(next) => {
          setTexts(next);
          setOwnProblems(undefined);
          save.reset();
        }}
        problems={problems}
        autoFocus
      />
      {refused.length === 0 && <ErrorNotice error={save.error} />}
      <div className="row">
        <Button type="submit" look="primary" isPending={save.isPending}>
          Save
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </div>
    </form>
  );
}

/** What becomes of a change by hand of what a resource wishes. */
export function OwnerWarning({ owner }: { readonly owner: OwnerMark }) {
  return (
    <Notice kind="warn">
      <span>
        The resource <OwnerLink owner={owner} /> wishes this value: its operator will set it back. Change it there.
      </span>
    </Notice>
  );
}
