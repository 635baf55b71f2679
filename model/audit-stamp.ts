import * as z from 'zod';

/** Who did something and when; kept and returned as sent. */
export const auditStampSchema = z
  .strictObject({
    time: z.number().describe('Milliseconds since 1970-01-01T00:00:00Z'),
    actor: z.string().describe('URN of who did it'),
    impersonator: z.string().optional(),
    message: z.string().optional(),
  })
  .meta({ id: 'AuditStamp', description: 'Who did something and when' });
