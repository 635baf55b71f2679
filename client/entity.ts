import * as z from 'zod';
import { statusSchema } from '../model/aspect.ts';
import { type Assignment, assignmentSchema } from '../model/assignment.ts';
import { type Definition, definitionSchema } from '../model/definition.ts';
import { aspectAnswer, entityPageSchema, ownedEntityAnswerSchema } from '../model/wire/entity-answer.ts';
import type { OwnedThing } from '../model/wire/owner-mark.ts';

/** An entity, with the aspects that were asked for. */
export interface Entity {
  readonly urn: string;
  /** By name. */
  readonly aspects: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Of a structured property that has one. */
  readonly definition?: Definition;
  /** Visible ones. */
  readonly assignments: readonly Assignment[];
  /** Soft deleted. */
  readonly removed: boolean;
  /** Absent: they were not asked for, or the server knows none. */
  readonly owners?: readonly OwnedThing[];
}

const aspect = aspectAnswer(z.record(z.string(), z.unknown()));

/** What a newer server has more, in an aspect or beside them, is no mistake. */
export const entitySchema = ownedEntityAnswerSchema
  .extend({
    propertyDefinition: aspectAnswer(definitionSchema.loose()).exactOptional(),
    structuredProperties: aspectAnswer(z.object({ properties: z.array(assignmentSchema.loose()) })).exactOptional(),
    status: aspectAnswer(statusSchema.loose()).exactOptional(),
  })
  .catchall(z.unknown())
  .transform(({ urn, owners, ...rest }): Entity => {
    const { propertyDefinition, structuredProperties, status } = rest;
    const aspects = Object.entries(rest).flatMap(([name, sent]) => {
      const read = aspect.safeParse(sent);
      return read.success ? [[name, read.data.value] as const] : [];
    });
    return {
      urn,
      aspects: Object.fromEntries(aspects),
      assignments: structuredProperties?.value.properties ?? [],
      removed: status?.value.removed === true,
      ...(propertyDefinition === undefined ? {} : { definition: propertyDefinition.value }),
      ...(owners === undefined ? {} : { owners }),
    };
  });

export const pageSchema = entityPageSchema.extend({ entities: z.array(entitySchema) });
