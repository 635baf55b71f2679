import * as z from 'zod';

/** Body of every error answer of the API server. */
export const errorBodySchema = z
  .object({
    error: z.string().describe('A title, the same for every error of a kind'),
    message: z.string().describe('What is wrong: every violated rule with its place'),
    violations: z
      .array(
        z.object({
          code: z.string().describe('Which rule it is; the list is in docs/reference/errors.md'),
          path: z.string().describe('Where in the body; empty for the body as a whole'),
          message: z.string().describe('For a person; it can change'),
        }),
      )
      .optional()
      .describe('The violated rules one by one, at most 500; absent when it is none of the rules that have a code'),
    moreViolations: z.number().int().optional().describe('How many violated rules were found beyond those'),
  })
  .meta({ id: 'Error', description: 'Body of every error answer' });

export type ErrorBody = z.output<typeof errorBodySchema>;
/** One violated rule, as a server tells it: its code may be one that is not known here. */
export type ErrorViolation = NonNullable<ErrorBody['violations']>[number];
