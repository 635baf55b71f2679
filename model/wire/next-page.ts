import * as z from 'zod';

export const nextPageSchema = z.string().exactOptional().describe('Where the next page begins; absent on the last');
