import * as z from 'zod';

/** Body of every error answer of the API server. */
export const errorBodySchema = z
  .object({
    error: z.string().describe('A title, the same for every error of a kind'),
    message: z.string().describe('What is wrong: every violated rule with its place'),
    violations: z
      .array(
        z.object({
          // A server of the version before tells none.
          code: z.string().optional().describe('Which rule it is, as one word; absent when it has none'),
          path: z.string().describe('Where in the body; empty for the body as a whole'),
          message: z.string(),
        }),
      )
      .optional()
      .describe('The violated rules one by one'),
  })
  .meta({ id: 'Error', description: 'Body of every error answer' });

export type ErrorBody = z.output<typeof errorBodySchema>;
