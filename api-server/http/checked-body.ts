import type { FastifyRequest } from 'fastify';
import type * as z from 'zod';
import { checkShape } from '../../model/shape.ts';
import { invalid } from '../catalog/errors.ts';

/** The request's body, checked against a schema. @throws CatalogError `invalid` with every violated rule. */
export function checkedBody<S extends z.ZodType>(schema: S, request: FastifyRequest): z.output<S> {
  const checked = checkShape(schema, request.body);
  if (!checked.ok) throw invalid(checked.violations);
  return checked.value;
}
