import type { HttpClient } from '../client/http-client.ts';
import { isHttpError, UnauthorizedError } from '../client/http-errors.ts';
import type { Definition } from '../model/definition.ts';
import { ENTITY_TYPES } from '../model/entity-type.ts';
import { escapeWord } from '../model/query/print.ts';
import { publicFieldOf } from '../model/search-name.ts';
import { countEntities } from './entities.ts';

/**
 * How many entities hold a value of a property that is not soft deleted. Of all types: a definition may have been for
 * more of them once.
 * @returns `undefined` when the search cannot say.
 */
export async function countHolders(client: HttpClient, definition: Definition): Promise<number | undefined> {
  const query = `_exists_:${escapeWord(publicFieldOf(definition))}`;
  const types = ENTITY_TYPES.filter(({ holdsProperties }) => holdsProperties);
  try {
    const counts = await Promise.all(types.map(({ name }) => countEntities(client, name, query)));
    return counts.reduce((sum, one) => sum + one, 0);
  } catch (error) {
    if (!isHttpError(error) || error instanceof UnauthorizedError) throw error;
    return undefined;
  }
}
