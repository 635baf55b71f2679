import { InvalidArgumentError } from 'commander';
import { groupUrnOf, groupUrnSchema, userUrnOf, userUrnSchema } from '../model/access/actor-urn.ts';
import { checkShape } from '../model/shape.ts';
import { InvalidUrnError, type ParsedUrn, parseUrn } from '../model/urn.ts';
import { describeViolations } from '../model/violation.ts';

/** A time in seconds. */
export function seconds(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0)
    throw new InvalidArgumentError('a number of seconds is needed.');
  return value;
}

export function count(text: string): number {
  if (!/^[1-9]\d{0,9}$/u.test(text)) throw new InvalidArgumentError('a whole number from 1 on is needed.');
  return Number(text);
}

export function urn(text: string): ParsedUrn {
  try {
    return parseUrn(text);
  } catch (error) {
    if (error instanceof InvalidUrnError) throw new InvalidArgumentError(error.message);
    throw error;
  }
}

/** A property by its URN or by its qualified name. */
export function propertyUrn(text: string): ParsedUrn {
  const parsed = urn(text.startsWith('urn:li:') ? text : `urn:li:structuredProperty:${text}`);
  if (parsed.entityType.name !== 'structuredProperty')
    throw new InvalidArgumentError(`${text} is no structured property.`);
  return parsed;
}

/** What a dataset file can hold. */
export function datasetUrn(text: string): ParsedUrn {
  const parsed = urn(text);
  if (!['dataset', 'dataFlow'].includes(parsed.entityType.name)) {
    throw new InvalidArgumentError(`${text} is neither a dataset nor a dataFlow.`);
  }
  return parsed;
}

/** A user by URN or by name. */
export function userUrn(text: string): string {
  return checkedActor(text.startsWith('urn:li:') ? text : userUrnOf(text), userUrnSchema);
}

/** A group by URN or by name. */
export function groupUrn(text: string): string {
  return checkedActor(text.startsWith('urn:li:') ? text : groupUrnOf(text), groupUrnSchema);
}

function checkedActor(urn: string, schema: typeof userUrnSchema): string {
  const checked = checkShape(schema, urn);
  if (!checked.ok) throw new InvalidArgumentError(`${describeViolations(checked.violations)}.`);
  return checked.value;
}
