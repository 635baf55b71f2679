import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import { useChange } from '../api/use-change.ts';
import type { Property } from '../catalogue/property.ts';
import { Button } from '../parts/button.tsx';
import { Dialog, DialogFooter } from '../parts/dialog.tsx';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Notice } from '../parts/notice.tsx';
import { changeDefinition, changedWith, defineProperty } from './change-property.ts';
import { DefinitionFields } from './definition-fields.tsx';
import {
  breakingChanges,
  type DefinitionForm,
  definitionOf,
  EMPTY_FORM,
  formFieldOf,
  formOf,
} from './definition-form.ts';

interface Props {
  /** What is changed; absent: a new one is defined. */
  readonly property?: Property;
  readonly onClose: () => void;
}

/** Defines a property, or changes its definition. What the server refuses is shown at the field. */
export function DefinitionDialog({ property, onClose }: Props) {
  const previous = property?.definition;
  const [form, setForm] = useState<DefinitionForm>(previous === undefined ? EMPTY_FORM : formOf(previous));
  const navigate = useNavigate();
  const name = form.qualifiedName.trim();
  const save = useChange({
    change: () =>
      property === undefined
        ? defineProperty(definitionOf(form))
        : changeDefinition(property.urn, definitionOf(form, previous), property.revision),
    changes: changedWith(name),
    done: () => (property === undefined ? `Defined ${name}.` : `Changed ${name}.`),
    onDone: () => {
      onClose();
      if (property === undefined) void navigate({ to: '/properties/$name', params: { name } });
    },
  });
  const violations = save.error instanceof ApiError ? save.error.violations : [];
  const errorOf = (field: keyof DefinitionForm) =>
    violations
      .filter(({ path }) => formFieldOf(path) === field)
      .map(({ message }) => message)
      .join('; ') || undefined;
  const areAllAtFields = violations.length > 0 && violations.every(({ path }) => formFieldOf(path) in form);
  const breaks = previous === undefined ? [] : breakingChanges(previous, form);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Dialog
      title={property === undefined ? 'Define a property' : `Change ${property.title}`}
      size="wide"
      onClose={onClose}
    >
      <form className="stack" onSubmit={submit}>
        <DefinitionFields
          form={form}
          isNew={property === undefined}
          onChange={(change) => {
            setForm({ ...form, ...change });
            save.reset();
          }}
          errorOf={errorOf}
        />
        {breaks.length > 0 && (
          <Notice kind="warn" title="This is a breaking change">
            <span>
              It needs a greater version. Values that were written before are hidden from then on, everywhere and for
              good, and a job removes them.
            </span>
            <ul>
              {breaks.map(({ message }) => (
                <li key={message}>{message}</li>
              ))}
            </ul>
          </Notice>
        )}
        {areAllAtFields ? (
          <Notice kind="bad" isAlert>
            <strong>It was not saved. What has to be mended is said at the fields above.</strong>
          </Notice>
        ) : (
          <ErrorNotice error={save.error} />
        )}
        <DialogFooter>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isPending={save.isPending}>
            {property === undefined ? 'Define' : 'Save'}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
