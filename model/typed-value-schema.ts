import * as z from 'zod';

const text = z.string().refine((value) => value.isWellFormed(), { error: 'must be well-formed Unicode' });

export const typedValueSchema = z
  .union(
    [z.strictObject({ string: text }), z.strictObject({ double: z.number().describe('A finite IEEE 754 double') })],
    { error: 'must be an object with exactly one key, string (a string) or double (a finite number)' },
  )
  .meta({ id: 'TypedValue', description: 'A value of a structured property: exactly one of string and double' });
