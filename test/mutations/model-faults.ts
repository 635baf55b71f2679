import type { Fault } from './fault.ts';

/** In the rules of the model, which the server and a plan share. */
export const MODEL_FAULTS: readonly Fault[] = [
  {
    name: 'mark-of-another-source',
    what: 'two sources with resources of one name take each other for the owner',
    file: 'model/entity/draft.ts',
    text: 'one.source === other.source &&',
    becomes: '',
    foundBy: ['test/api-server/catalog/owners.test.ts'],
  },
  {
    name: 'epoch-not-compared',
    what: 'values show again under a property that was deleted and made anew',
    file: 'model/entity/assignments.ts',
    text: 'states.get(propertyUrn)?.epoch === epoch',
    becomes: "epoch !== '' && states.has(propertyUrn)",
    foundBy: ['test/api-server/catalog/epochs.test.ts'],
  },
  {
    name: 'epoch-kept',
    what: 'a breaking change begins no new epoch',
    file: 'model/entity/definitions.ts',
    text: 'state === undefined || breaks.length > 0 ? newEpoch : state.epoch',
    becomes: 'state?.epoch ?? newEpoch',
    foundBy: ['test/api-server/catalog/epochs.test.ts'],
  },
  {
    name: 'collection-by-name',
    what: 'collecting what a deleted property left takes the values of a new one of its name',
    file: 'model/entity/removals.ts',
    text: 'one.propertyUrn !== propertyUrn || one.epoch !== epoch',
    becomes: 'one.propertyUrn !== propertyUrn',
    foundBy: ['test/api-server/jobs/collect-assignments.test.ts'],
  },
  {
    name: 'test-without-a-look',
    what: 'the operation test of a JSON patch compares nothing',
    file: 'model/patch.ts',
    text: 'if (present !== undefined && isSame(present, operation.value)) return undefined;',
    becomes: 'if (present !== undefined) return undefined;',
    foundBy: ['test/model/patch.test.ts'],
  },
  {
    name: 'version-not-compared',
    what: 'a write that is for one version of an aspect is made to any later one',
    file: 'model/entity/preconditions.ts',
    text: 'version !== undefined && version !== present',
    becomes: 'version !== undefined && version > present',
    foundBy: ['test/api-server/http/conditional-writes.test.ts'],
  },
  {
    name: 'patched-values-not-checked',
    what: 'a patch stores values that break the rules of their definition',
    file: 'model/entity/patch-assignments.ts',
    text: '[...touchesHidden(operations, sent, states), ...checked.violations]',
    becomes: '[...touchesHidden(operations, sent, states)]',
    foundBy: ['test/api-server/catalog/write-rules.test.ts'],
  },
];
