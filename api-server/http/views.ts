import type { Stamp } from '../../model/entity/draft.ts';
import type { AspectView, EntityView } from '../catalog/read/read-entities.ts';
import { type JsonText, textOf } from './json-text.ts';

/** The wrappers in which version 2 and version 3 of the interface show the same entities. */
export type ApiVersion = 'v2' | 'v3';

const NO_RUN_ID = 'no-run-id-provided';

export function entityBody(version: ApiVersion, { urn, aspects }: EntityView, systemMetadata: boolean): object {
  const bodies = Object.fromEntries(
    Object.entries(aspects).map(([name, aspect]) => [name, aspectBody(aspect, systemMetadata)]),
  );
  return version === 'v3' ? { urn, ...bodies } : { urn, aspects: bodies };
}

/** How an entity of an answer of many is kept: as its text. */
export function printing(bodyOf: (view: EntityView) => object) {
  return {
    show: (view: EntityView): JsonText => textOf(bodyOf(view)),
    bytesOf: (text: JsonText) => text.length,
  };
}

/** `{value, systemMetadata?}`: an aspect inside an entity, and on its own in version 2. */
export function aspectBody({ value, stored }: AspectView, systemMetadata: boolean): object {
  if (!systemMetadata || stored === undefined) return { value };
  const { version, created, modified } = stored;
  return {
    value,
    systemMetadata: {
      lastObserved: modified.time,
      runId: NO_RUN_ID,
      lastRunId: NO_RUN_ID,
      version: String(version),
      aspectCreated: stampBody(created),
      aspectModified: stampBody(modified),
    },
  };
}

/** Reading one aspect: version 2 shows it alone, version 3 inside its entity. */
export function aspectReadBody(version: ApiVersion, view: EntityView, aspect: string, systemMetadata: boolean): object {
  const found = view.aspects[aspect];
  if (version === 'v3' || found === undefined) return entityBody(version, view, systemMetadata);
  return aspectBody(found, systemMetadata);
}

function stampBody({ time, actor }: Stamp): object {
  return { time, actor };
}
