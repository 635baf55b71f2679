import { expect, it } from '@jest/globals';
import { expectUndisturbed, onEachSiege } from '../harness/under-attack.ts';

/** The measure itself: what is no attack disturbs nobody, so that the other files here speak of attacks alone. */
await onEachSiege((siege) => {
  it('a hundred requests for a page disturb nobody', async () => {
    const seen = await siege().during(async (api) => {
      for (let request = 0; request < 100; request++) await api.get('/openapi/v3/entity/dataset');
    });
    expectUndisturbed(seen);
    expect(Math.min(...Object.values(seen.answered))).toBeGreaterThan(0);
  });
});
