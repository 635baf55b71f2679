import { useState } from 'react';
import type { Property } from '../catalogue/property.ts';
import { Button } from '../parts/button.tsx';
import { PickerField } from '../parts/picker-field.tsx';
import { useReturningFocus } from '../parts/returning-focus.ts';
import type { Holder } from './dataset-query.ts';
import { ValueForm } from './value-form.tsx';

interface Props {
  readonly holder: Holder;
  readonly entityType: string;
  readonly properties: readonly Property[];
  readonly onSaved: () => Promise<unknown>;
}

/** Puts a property on an entity that has none of its values: one that is meant for entities of that type. */
export function AddValue({ holder, entityType, properties, onSaved }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const focus = useReturningFocus();
  const present = new Set(holder.assignments.map(({ propertyUrn }) => propertyUrn));
  const possible = properties.filter(
    ({ urn, removed, entityTypes }) => !removed && !present.has(urn) && entityTypes.includes(entityType),
  );
  const property = possible.find(({ urn }) => urn === chosen);
  const close = () => {
    setOpen(false);
    setChosen(null);
    focus.returnTo('add');
  };
  if (!isOpen) {
    return (
      <span>
        <Button ref={focus.refOf('add')} isDisabled={possible.length === 0} onPress={() => setOpen(true)}>
          Add a property
        </Button>
      </span>
    );
  }
  return (
    <section className="add-value stack-tight" aria-label="Add a property">
      <PickerField
        label="Property"
        placeholder="Type a part of its name"
        options={possible.map(({ urn, title, name }) => ({ value: urn, label: title, hint: name }))}
        value={chosen}
        onChange={setChosen}
        autoFocus
      />
      {property === undefined ? (
        <span>
          <Button onPress={close}>Cancel</Button>
        </span>
      ) : (
        <ValueForm
          key={property.urn}
          holder={holder.urn}
          property={property}
          values={[]}
          owner={undefined}
          onSaved={onSaved}
          onClose={close}
        />
      )}
    </section>
  );
}
