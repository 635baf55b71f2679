import { hash } from 'node:crypto';
import { foldCase } from '../fold.ts';

type Value = string | number;

/**
 * What the engine is asked by: 32 hex digits that stand for one thing that can be said of an entity. Typesense compares
 * texts by words, without case, accents and signs; these it can only take as they are.
 */
function term(...parts: readonly Value[]): string {
  return hash('sha256', JSON.stringify(parts)).slice(0, 32);
}

/** Also the document's id. */
export const urnTerm = (urn: string) => term('urn', urn);
export const typeTerm = (entityType: string) => term('type', entityType);
export const removedTerm = term('removed');
/** The entity has some value of the field. */
export const fieldTerm = (field: string) => term('field', field);
/** Also the id of the value in the dictionary. */
export const valueTerm = (field: string, value: Value) => term('value', field, value === 0 ? 0 : value);
/** The entity has a string that is this one after `foldCase`. */
export const foldedTerm = (field: string, text: string) => term('folded', field, foldCase(text));
/** All strings, or all numbers, of a field in the dictionary. */
export const dictionaryTerm = (field: string, type: 'string' | 'number') => term('dictionary', field, type);
/** Names a generation of collections. */
export const generationTerm = (...parts: readonly string[]) => term('generation', ...parts);
