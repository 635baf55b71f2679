import { aroundCalls } from '../around-calls.ts';

/** The same object, whose methods reject with what `translate` makes of an error. */
export function withErrorsOf<T extends object>(target: T, translate: (error: unknown) => unknown): T {
  return aroundCalls(target, async (_name, call) => {
    try {
      return await call();
    } catch (error) {
      throw translate(error);
    }
  });
}
