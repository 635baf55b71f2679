import { deleting } from '../../model/entity/removals.ts';
import { parseUrn } from '../../model/urn.ts';
import type { CatalogParts } from '../catalog/parts.ts';
import { storeChange } from '../catalog/write/store-change.ts';
import type { EntityDocument } from '../store/port.ts';
import { CLEANER } from './cleaner.ts';
import type { Job } from './job.ts';
import type { JobWork } from './job-work.ts';

const FIELDS_AT_ONCE = 100;

/** Removes the schema fields that belonged to one incarnation of a dataset; those of a later one stay. */
export function collectFields(parts: CatalogParts): JobWork {
  return {
    settles: true,
    hasHappened: async (job) => !(await isAlive(parts, job)),
    async count(job) {
      let found = 0;
      let after: string | undefined;
      for (;;) {
        const { fields, last } = await fieldsAfter(parts, job, after);
        found += fields.length;
        if (last === undefined) return found;
        after = last;
      }
    },
    async step(job) {
      const { fields, last } = await fieldsAfter(parts, job, job.cursor);
      const isMeant = (current: EntityDocument | undefined) => current?.parentIncarnation === job.remains;
      await Promise.all(fields.map(({ urn }) => storeChange(parts, deleting(parseUrn(urn)), CLEANER, { isMeant })));
      return {
        processed: fields.length,
        finished: last === undefined,
        ...(last === undefined ? {} : { cursor: last }),
      };
    },
  };
}

async function isAlive({ store }: CatalogParts, { subject, remains }: Job): Promise<boolean> {
  const dataset = await store.entities.get(subject);
  return dataset !== undefined && dataset.deleted === undefined && dataset.incarnation === remains;
}

/** The next remains after a URN; `last` is where to go on, absent at the end. */
async function fieldsAfter(
  { store }: CatalogParts,
  { subject, remains }: Job,
  after: string | undefined,
): Promise<{ fields: EntityDocument[]; last?: string }> {
  const prefix = `urn:li:schemaField:(${subject},`;
  const page = await store.entities.list({ entityType: 'schemaField', after: after ?? prefix, limit: FIELDS_AT_ONCE });
  const ofDataset = page.filter(({ urn }) => urn.startsWith(prefix));
  const fields = ofDataset.filter(
    ({ deleted, parentIncarnation }) => deleted === undefined && parentIncarnation === remains,
  );
  const last = ofDataset.length === page.length ? ofDataset.at(-1)?.urn : undefined;
  return last === undefined ? { fields } : { fields, last };
}
