import type { AssignedProperty } from '../../../model/assignment.ts';
import type { DatasetPropertiesResource } from '../../../model/resource/resource.ts';
import type { OwnerMark } from '../../catalogue/catalogue.ts';
import type { Work } from '../step.ts';
import type { EntityPlan } from './plan-entity.ts';
import type { Wanted } from './wanted.ts';

/** What the steps of a DatasetProperties hand on to each other. */
export interface DatasetWork extends Work<DatasetPropertiesResource> {
  wanted: readonly Wanted[];
  /** The referenced properties, by URN. */
  properties: ReadonlyMap<string, AssignedProperty>;
  /** Our marks, wherever they are. */
  marks: readonly OwnerMark[];
  /** Datasets that are meant. */
  datasets: readonly string[];
  plans: readonly EntityPlan[];
  /** Datasets that are meant and do not exist. */
  missing: string[];
}
