import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import type { Policy } from '../../../../model/access/policy.ts';
import { PRIVILEGES, type PrivilegeType, privilegesOf } from '../../../../model/access/privileges.ts';
import type { ShownPolicy } from '../../../../model/wire/access.ts';
import { useChange } from '../../api/use-change.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { CheckboxesField, CheckboxField, SelectField, TextField } from '../../parts/fields.tsx';
import { Section } from '../../parts/page.tsx';
import { ActorsField } from './actors-field.tsx';
import { CriteriaField } from './criteria-field.tsx';
import { POLICY_CHANGES, putPolicy } from './policy-requests.ts';

/** What is typed of a policy. */
interface Draft extends Omit<ShownPolicy, 'resources'> {
  readonly criteria: readonly NonNullable<Policy['resources']>['filter'][number][];
}

const TYPES: readonly { readonly value: PrivilegeType; readonly label: string }[] = [
  { value: 'METADATA', label: 'Metadata: on entities, such as datasets' },
  { value: 'PLATFORM', label: 'Platform: users, tokens, definitions, jobs …' },
];

interface Props {
  readonly policy: ShownPolicy;
  readonly isNew: boolean;
}

export function PolicyForm({ policy: { resources, ...policy }, isNew }: Props) {
  const [draft, setDraft] = useState<Draft>({
    ...policy,
    criteria: resources?.filter ?? [],
  });
  const navigate = useNavigate();
  const saving = useChange({
    change: () => putPolicy(policyOf(draft)),
    changes: POLICY_CHANGES,
    done: () => `The policy “${draft.name}” is ${isNew ? 'created' : 'saved'}.`,
    onDone: () => void navigate({ to: '/settings/policies' }),
  });
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  return (
    <Form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate();
      }}
    >
      <Section title="Policy">
        <div className="stack narrow">
          <TextField
            label="Name"
            isRequired
            maxLength={200}
            value={draft.name}
            onChange={(name) => change(isNew && draft.id === idOf(draft.name) ? { name, id: idOf(name) } : { name })}
          />
          {isNew && (
            <TextField
              label="Id"
              hint="It stays, in audit log and files: letters, digits, dots, hyphens and underscores."
              isRequired
              pattern="[A-Za-z0-9][A-Za-z0-9._\-]*"
              maxLength={100}
              value={draft.id}
              onChange={(id) => change({ id })}
            />
          )}
          <TextField
            label="Description"
            rows={2}
            maxLength={2000}
            value={draft.description}
            onChange={(description) => change({ description })}
          />
          <SelectField
            label="Type"
            value={draft.type}
            onChange={(type) => change({ type, privileges: [] })}
            options={TYPES}
            isDisabled={!isNew}
          />
          <CheckboxField
            label="Active"
            hint="An inactive policy grants nothing."
            isSelected={draft.state === 'ACTIVE'}
            onChange={(isActive) => change({ state: isActive ? 'ACTIVE' : 'INACTIVE' })}
          />
        </div>
      </Section>
      <Section title="Grants">
        <CheckboxesField
          label="Privileges"
          value={draft.privileges}
          onChange={(privileges) => change({ privileges: [...privileges] })}
          options={privilegesOf(draft.type).map((name) => ({
            value: name,
            label: PRIVILEGES[name].label,
            hint: PRIVILEGES[name].description,
          }))}
        />
      </Section>
      <Section title="To">
        <ActorsField
          value={draft.actors}
          onChange={(actors) => change({ actors })}
          hasResources={draft.type === 'METADATA'}
        />
      </Section>
      {draft.type === 'METADATA' && (
        <Section title="On">
          <CriteriaField value={draft.criteria} onChange={(criteria) => change({ criteria })} />
        </Section>
      )}
      <ErrorNotice error={saving.error} />
      <div className="row">
        <Button type="submit" look="primary" isPending={saving.isPending}>
          {isNew ? 'Create' : 'Save'}
        </Button>
        <Link to="/settings/policies" className="button button-plain">
          Cancel
        </Link>
      </div>
    </Form>
  );
}

function policyOf({ criteria, ...draft }: Draft): ShownPolicy {
  if (draft.type === 'PLATFORM') return { ...draft, actors: { ...draft.actors, resourceOwners: false } };
  return { ...draft, ...(criteria.length === 0 ? {} : { resources: { filter: [...criteria] } }) };
}

/** Of a name that is being typed. */
function idOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, '-')
    .replace(/^-+|-+$/gu, '')
    .slice(0, 100);
}
