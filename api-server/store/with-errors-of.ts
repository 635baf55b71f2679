/**
 * The same object, whose methods reject with what `translate` makes of an error.
 * @param target an object of a class, all of whose methods return promises.
 */
export function withErrorsOf<T extends object>(target: T, translate: (error: unknown) => unknown): T {
  const translated = new Map<string, unknown>();
  for (const [name, { value: method }] of Object.entries(
    Object.getOwnPropertyDescriptors(Object.getPrototypeOf(target)),
  )) {
    if (name === 'constructor' || typeof method !== 'function') continue;
    translated.set(name, async (...args: unknown[]) => {
      try {
        return await method.apply(target, args);
      } catch (error) {
        throw translate(error);
      }
    });
  }
  return Object.fromEntries(translated) as T;
}
