import type { Fence, RecordStore } from './port.ts';

export interface RecordPlace {
  readonly kind: string;
  readonly id: string;
  /** As for `RecordStore.put`. */
  readonly fence?: Fence | undefined;
}

/**
 * Changes a record only as it was read: when somebody else has written meanwhile, it is read and decided anew.
 * @param next says what is to stand, maybe several times: what stands, as it was given, is left; `undefined` removes it.
 * @returns what stands then. @throws StoreError `fenced`, and what `next` throws.
 */
export async function changeRecord<T, N extends T | undefined>(
  records: RecordStore,
  { kind, id, fence }: RecordPlace,
  next: (standing: T | undefined) => N | Promise<N>,
): Promise<N> {
  for (;;) {
    const record = await records.get<T>(kind, id);
    const body = await next(record?.body);
    if (body === record?.body) return body;
    const isDone =
      body === undefined && record !== undefined
        ? await records.delete(kind, id, record.revision, fence)
        : (await records.put(kind, id, body, record?.revision, fence)) !== undefined;
    if (isDone) return body;
  }
}
