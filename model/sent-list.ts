import * as z from 'zod';
import { MAX_VIOLATIONS } from './limits.ts';

/**
 * A list whose length is up to whoever sends it: as `z.array`, but one run of a schema describes about
 * {@link MAX_VIOLATIONS} issues. An issue takes a microsecond and half a kilobyte, and a body has room for half a million.
 * The elements behind are counted where they are of a kind (a number, a text, …) that was found to be wrong.
 */
export function sentList<T extends z.core.SomeType>(element: T): z.ZodArray<T> {
  return new SentList({ type: 'array', element: element as never }) as unknown as z.ZodArray<T>;
}

/** Of an issue that stands for elements behind the last that was looked at: how many more than one. */
export const MORE = 'more';

/** How many issues a run of a schema has found, by its context, which all parts of the schema are given. */
const found = new WeakMap<object, number>();

const beArray: (list: z.ZodArray, definition: z.core.$ZodArrayDef) => void = z.ZodArray.init;

const SentList: z.core.$constructor<z.ZodArray, z.core.$ZodArrayDef> = z.core.$constructor(
  'SentList',
  (list: z.ZodArray, { element, ...definition }: z.core.$ZodArrayDef) => {
    beArray(list, { element, ...definition });
    const parseAny = list._zod.parse;
    list._zod.parse = (payload, context) => {
      const input: unknown = payload.value;
      if (!Array.isArray(input)) return parseAny(payload, context);
      const output: unknown[] = [];
      const wrongKinds = new Set<string>();
      for (const [index, value] of input.entries()) {
        const before = found.get(context) ?? 0;
        if (before >= MAX_VIOLATIONS) {
          payload.issues.push(issueOfRest(input, index, wrongKinds));
          break;
        }
        const result = element._zod.run({ value, issues: [] }, context);
        if (result instanceof Promise) throw new z.core.$ZodAsyncError();
        // Those of lists inside the element are among them.
        found.set(context, before + result.issues.length);
        if (result.issues.some(({ path = [] }) => path.length === 0)) wrongKinds.add(kindOf(value));
        for (const issue of z.core.util.prefixIssues(index, result.issues)) payload.issues.push(issue);
        output.push(result.value);
      }
      payload.value = output;
      return payload;
    };
  },
);

function issueOfRest(input: readonly unknown[], start: number, wrongKinds: ReadonlySet<string>): z.core.$ZodRawIssue {
  let wrong = 0;
  for (let index = start; index < input.length; index += 1) if (wrongKinds.has(kindOf(input[index]))) wrong += 1;
  const message = `the elements from [${start}] were not looked at`;
  return { code: 'custom', input, message, path: [], params: { [MORE]: Math.max(0, wrong - 1) } };
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}
