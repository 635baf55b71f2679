import { describe, expect, it } from '@jest/globals';
import { factsOfStatus, judge, needsAttention } from '../../../frontend/pages/resources/resource-state.ts';

function record(...conditions: [type: string, status: string, reason: string][]) {
  const status = { conditions: conditions.map(([type, status, reason]) => ({ type, status, reason, message: 'm' })) };
  return { source: 's', kind: 'StructuredProperty', namespace: 'n', name: 'a', generation: 1, created: 0, status };
}

describe('how a resource is', () => {
  it.each([
    ['Ready', record(['Ready', 'True', 'Applied']), 'Applied'],
    ['Stalled', record(['Ready', 'False', 'Invalid'], ['Stalled', 'True', 'Invalid']), 'Invalid'],
    ['Reconciling', record(['Ready', 'False', 'Deleting'], ['Reconciling', 'True', 'Deleting']), 'Deleting'],
    ['Paused', record(['Ready', 'True', 'Applied'], ['Paused', 'True', 'Paused']), 'Paused'],
    ['Drifted', record(['Ready', 'True', 'ObserveOnly'], ['Drifted', 'True', 'Differs']), 'Differs'],
    ['Unknown', record(['Ready', 'Unknown', 'Progressing']), 'Progressing'],
  ])('is %s', (state, resource, reason) => expect(judge(resource)).toMatchObject({ state, reason }));

  it('is unknown before anything is reported, or when the report is of a shape that nobody knows', () => {
    const { status: _, ...unreported } = record();
    expect(judge(unreported).state).toBe('Unknown');
    expect(judge({ ...unreported, status: { conditions: 'x' } }).state).toBe('Unknown');
  });

  it('needs attention unless it is ready or paused by wish', () => {
    expect(needsAttention(judge(record(['Ready', 'True', 'Applied'])))).toBe(false);
    expect(needsAttention(judge(record(['Stalled', 'True', 'Invalid'])))).toBe(true);
  });

  it('tells the counts of the status by name', () => {
    expect(factsOfStatus({ conditions: [], holders: 3, cascade: { removed: 1, remaining: 2 } })).toEqual([
      { name: 'Holders', text: '3' },
      { name: 'Removal of values', text: 'removed: 1, remaining: 2' },
    ]);
  });
});
